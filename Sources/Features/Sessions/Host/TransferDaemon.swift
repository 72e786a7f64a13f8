import CLinux
import EventLoop
package import ExtensionHosting
package import ExtensionProtocol
import Files
import HTTPClient
import JSONRPC
import Synchronization
package import Transfers

/// Runs the transfers of one state directory, and starts containing apps for their events. Only one of the processes
/// that share the directory does so: a host, or a daemon.
package final class TransferDaemon: Sendable {
  /// The host that has a session's apps and extensions.
  package typealias Host = @Sendable (SessionRecord) async throws -> ExtensionHost

  /// How long the daemon stays idle before it exits.
  private static let idleTime = Duration.seconds(5)
  /// How often to look whether there is something to do.
  private static let look = Duration.seconds(1)
  /// From one attempt to be the one that makes the transfers to the next.
  private static let pause = Duration.seconds(5)

  private let service: SessionService
  private let host: Host

  /// - Parameters:
  ///   - service: the service whose transfers are made; its journal, leases and rules are used.
  ///   - host: returns the host that starts a session's containing app.
  package init(_ service: SessionService, host: @escaping Host) {
    self.service = service
    self.host = host
  }

  /// Whether some process makes the transfers of a state directory.
  static func isRunning(in state: StateDirectory) -> Bool {
    let lock = try? FileLock.attempt("\(SessionService.folder(in: state))/runner.lock")
    return lock == nil
  }

  /// Runs until the task is cancelled, or, when asked for, until there has been nothing to do for a while.
  ///
  /// - Throws: `storeFailed` when the journal cannot be used.
  package func run(endingWhenIdle: Bool) async throws(ExtensionError) {
    let runner = makeRunner()
    let waker = SessionWaker(service, host: host)
    while !Task.isCancelled {
      do {
        try await work(runner, waker, endingWhenIdle: endingWhenIdle)
        // A process that added a task before the lock was released relied on this process.
        let isDone = try await !hasWork(waker)
        if endingWhenIdle && isDone { return }
      } catch TransferError.runsElsewhere {
        if endingWhenIdle { return }
        do { try await service.loop.sleep(for: Self.pause) } catch { return }
      } catch is CancellationError {
        return
      } catch {
        throw (error as? TransferError).map { ExtensionError($0) } ?? ExtensionError(wrapping: error)
      }
    }
  }

  private func work(_ runner: TransferRunner, _ waker: SessionWaker, endingWhenIdle: Bool) async throws {
    // Where the kernel has no more watches, a decision of the user's counts with the next request.
    let decisions = Signal()
    let watch = PathWatch(on: service.loop) { decisions.send() }
    watch?.follow([service.state.path], for: .entries)
    defer { watch?.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await runner.run() }
      group.addTask { await waker.run() }
      group.addTask {
        var seen = decisions.count
        while true {
          try await decisions.wait(past: seen)
          seen = decisions.count
          await runner.recheck()
        }
      }
      if endingWhenIdle { group.addTask { try await self.untilIdle(waker) } }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func makeRunner() -> TransferRunner {
    var options = TransferRunner.Options(sleep: { [loop = service.loop] in try await loop.sleep(for: $0) }) {
      [self] session, task, url in await permission(of: session, task, for: url)
    }
    options.fence = { [self] session in await fence(of: session) }
    options.room = { [self] session, task throws(TransferFailure) in try await room(of: session, for: task) }
    options.user = { [self] session throws(TransferFailure) in
      if session.key.app == SessionRecord.tool { return nil }
      do throws(ExtensionError) { return try service.state.fileUser(ofApp: session.key.app) } catch {
        throw error.failure
      }
    }
    // A container is on the machine where its session was begun, though other machines may share the journal's folder.
    options.machine = Machine.name
    var client = HTTPClient.Configuration()
    client.usesProxyOfEnvironment = false
    client.timeout = nil
    return TransferRunner(service.journal, client: HTTPClient(configuration: client), options: options)
  }

  private func hasWork(_ waker: SessionWaker) async throws -> Bool {
    if try await service.journal.hasUnfinishedTasks() { return true }
    return try await waker.hasWork()
  }

  private func untilIdle(_ waker: SessionWaker) async throws {
    var idleSince: ContinuousClock.Instant?
    while true {
      // The journal sometimes signals without a change, so only the time decides.
      idleSince = try await hasWork(waker) ? nil : idleSince ?? .now
      if let idleSince, idleSince.duration(to: .now) >= Self.idleTime { return }
      try await service.loop.sleep(for: Self.look)
    }
  }

  /// How often to look again whether a session was taken up elsewhere, or only now on this machine.
  private static let secondLooks = [Duration.milliseconds(200), .milliseconds(600), .seconds(2)]

  /// Whether a session is still its owner's here.
  private func fence(of session: SessionRecord) async -> SessionFence {
    if session.key.app == SessionRecord.tool { return .open }
    do {
      // Whoever takes it up here has the lease a moment before the journal says so.
      for pause in [Duration.zero] + Self.secondLooks {
        if pause > .zero { try await service.loop.sleep(for: pause) }
        guard let current = try await service.journal.session(session.key) else { return .open }
        if try await !service.leases.isOvertaken(current) { return .open }
      }
    } catch {
      return .unknown
    }
    return .closed(ExtensionError(TransferError.disconnected(session.key)).transferFailure)
  }

  /// Whether a task may transfer from or to a URL now: every permission that it leans on holds.
  private func permission(
    of session: SessionRecord, _ task: TransferRecord, for url: String
  ) async -> TransferPermission {
    if session.key.app == SessionRecord.tool { return .allowed(reaches: nil) }
    do {
      let registry = try await host(session).registry
      let identity = try registry.launchTarget(session.owner).identity
      let writes = task.kind == .download
      if let refusal = service.rules.refusal(ofGroup: session.group, writes: writes, for: identity, in: registry) {
        return .refused(refusal.failure)
      }
      if let refusal = service.rules.refusal(of: url, for: identity) { return .refused(refusal.failure) }
      return .allowed(reaches: service.rules.reaches(of: url))
    } catch {
      return .refused(ExtensionError(wrapping: error).failure)
    }
  }
}

extension TransferDaemon {
  /// The bytes that a download may bring into the container of a session, with what is there of the app's others; `nil` for
  /// the user's own.
  private func room(
    of session: SessionRecord, for task: TransferRecord
  ) async throws(TransferFailure) -> Int64? {
    if session.key.app == SessionRecord.tool { return nil }
    let limits: ExtensionLimits
    do {
      let configuration = try await host(session).configuration
      limits = configuration.effectiveLimits(of: try configuration.registry.launchTarget(session.owner))
    } catch {
      throw ExtensionError(wrapping: error).failure
    }
    let container = session.container
    let room = await SystemThread.run(name: "transfer-room") { () -> Int64? in
      var usage = clinux_tree_usage()
      let limit = clinux_tree_usage(files: limits.containerFiles, bytes: limits.containerSize)
      guard clinux_tree_usage(container, limit, &usage) == 0 else { return nil }
      if usage.files >= limits.containerFiles || usage.bytes >= limits.containerSize { return 0 }
      return Int64(clamping: limits.containerSize - usage.bytes)
    }
    guard let room, let parts = try? await service.journal.partBytes(of: session.key.app, except: task.id) else {
      throw .uncountable
    }
    return max(0, room - min(room, parts))
  }
}

extension TransferFailure {
  fileprivate static let uncountable = TransferFailure(
    .cannotWriteToFile, "What the shared container holds cannot be counted.",
    recovery: "Check that the container is there and may be read, and begin the transfer again.")
}

extension ExtensionError {
  /// The reason a transfer ends for that its session is no longer its owner's: Apple's domain and code, if there are some.
  fileprivate var transferFailure: TransferFailure {
    guard case .integer(let code)? = details["code"], let number = Int(exactly: code) else { return failure }
    return TransferFailure(code: number, message, recovery: recovery ?? "Create the session again.")
  }

  /// The reason a transfer may not continue, for its owner.
  fileprivate var failure: TransferFailure {
    TransferFailure(
      domain: "ExtensionErrorDomain", code: code.number, message,
      recovery: recovery ?? "Allow the server, and begin the transfer again.")
  }
}
