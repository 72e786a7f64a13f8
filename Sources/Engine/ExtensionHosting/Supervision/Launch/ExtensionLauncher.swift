import JSON
import EventLoop
import ExtensionProtocol
import JSONRPC
import Sandbox

/// Starts extensions: folders, policy, sandbox, pipes, monitor.
struct ExtensionLauncher: Sendable {
  private let configuration: ExtensionHost.Configuration
  private let loop: EventLoop
  private let preparation: LaunchPreparation
  private let users: ExtensionUsers
  private let diskLoop = DiskLoop()
  private let rounds: ResourceWatch.Rounds
  /// The launcher for the next launch.
  let reserve: LauncherReserve

  init(configuration: ExtensionHost.Configuration, loop: EventLoop) {
    self.configuration = configuration
    self.loop = loop
    rounds = ResourceWatch.Rounds(on: loop)
    reserve = LauncherReserve(on: loop, isUsed: configuration.keepsLauncher)
    preparation = LaunchPreparation(configuration: configuration, facts: LaunchFacts(configuration))
    users = ExtensionUsers(state: configuration.state, log: configuration.log)
  }

  /// - Throws: `sandboxUnavailable`, `launchFailed`, `extensionInvalid`, `permissionDenied` or `storeFailed`, and
  ///   `cancelled` in a task that is cancelled; nothing is left then.
  func launch(_ target: LaunchTarget) async throws(ExtensionError) -> LaunchedExtension {
    let started = try await start(target, isGrouped: true)
    let (prepared, process) = (started.prepared, started.process)
    do throws(ExtensionError) {
      let connection = Connection(
        on: loop, input: process.standardOutput, output: process.standardInput,
        configuration: wire(target))
      let work = OpenWork()
      let resources = ResourceWatch(
        quota: prepared.quota, connection: connection, work: work, loop: loop, diskLoop: diskLoop,
        rounds: rounds, group: prepared.group)
      let monitor = ProcessMonitor(
        process, id: target.identity.id, loop: loop, log: configuration.log, resources: resources,
        ledger: connection.ledger)
      connection.ledger.whenExceeded { [weak monitor, loop] excess in
        loop.execute { monitor?.assumeIsolated { $0.kill(ExitReason(excess)) } }
      }
      try await monitor.start { connection.assumeIsolated { $0.peerHasExited() } }
      return LaunchedExtension(
        connection: connection, monitor: monitor, owner: prepared.owner, folders: prepared.folders,
        quota: prepared.quota, work: work, group: prepared.group)
    } catch {
      await SystemThread.run(name: "annex-launch") { started.discard() }
      throw error
    }
  }

  /// Starts a process and watches it, without a connection and without looking at what it uses.
  ///
  /// - Throws: as ``launch(_:)``.
  func launchSilently(
    _ target: LaunchTarget
  ) async throws(ExtensionError) -> (process: SandboxedProcess, monitor: ProcessMonitor, folders: ExtensionFolders) {
    let started = try await start(target, isGrouped: false)
    do throws(ExtensionError) {
      let monitor = ProcessMonitor(started.process, id: target.identity.id, loop: loop, log: configuration.log)
      try await monitor.start()
      return (started.process, monitor, started.prepared.folders)
    } catch {
      await SystemThread.run(name: "annex-launch") { started.discard() }
      throw error
    }
  }

  /// A process that has been started, with what was prepared for it.
  private struct Started: Sendable {
    let prepared: LaunchPreparation.Prepared
    let process: SandboxedProcess

    func discard() {
      process.discard()
      prepared.discard()
    }
  }

  /// Checks the program's files, creates folders and starts the process, on a thread of its own and within the time limit
  /// of the handshake: each of these may block.
  private func start(_ target: LaunchTarget, isGrouped: Bool) async throws(ExtensionError) -> Started {
    let owners = try await owners(of: target)
    let limit = configuration.deadlines.handshake
    do {
      return try await SystemThread.run(name: "annex-launch", within: limit, on: loop) { [self] isAbandoned in
        let prepared = try preparation.prepare(target, owners, isGrouped: isGrouped, isAbandoned: isAbandoned)
        do throws(ExtensionError) {
          return Started(prepared: prepared, process: try spawn(prepared.plan, target))
        } catch {
          prepared.discard()
          throw error
        }
      } discard: {
        $0.discard()
      }
    } catch let error as ExtensionError {
      throw error
    } catch is DeadlineExceeded {
      throw ExtensionError(
        .launchFailed, "\(target.identity.displayName) was not started: its files could not be read in \(limit).",
        recovery: "Try again, or copy \(target.bundle ?? target.executable) to a disk that answers faster.",
        details: ["extension": .string(target.identity.id)])
    } catch is CancellationError {
      throw ExtensionError(.cancelled, "The start of \(target.identity.displayName) was cancelled.")
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  private func owners(of target: LaunchTarget) async throws(ExtensionError) -> LaunchOwners {
    guard let app = try await users.user(ofApp: target.identity.containingApp) else { return LaunchOwners() }
    var owners = LaunchOwners(app: app)
    for group in target.identity.groups {
      owners.groups[group] = try await users.user(
        ofGroup: group, configuration.permissions.claims, else: target.identity.containingApp)
    }
    return owners
  }

  private func wire(_ target: LaunchTarget) -> Connection.Configuration {
    var wire = configuration.wire
    wire.framing = Framing(rawValue: target.framing.rawValue) ?? .lines
    wire.notifications = NotificationLimit()
    wire.malformed = .replyToMessages
    wire.tap = configuration.recorder?.tap(target.identity.id)
    return wire
  }

  private func spawn(_ plan: LaunchPlan, _ target: LaunchTarget) throws(ExtensionError) -> SandboxedProcess {
    try DescriptorLimit.check(for: target.identity)
    do throws(SandboxError) {
      return try plan.spawn(with: reserve.take(for: plan))
    } catch {
      if error.code == .lacksDescriptors { throw DescriptorLimit.exceeded(target.identity) }
      throw ExtensionError(error, extension: target.identity)
    }
  }
}

extension ExtensionError {
  /// A refusal of the sandbox, in the terms of the wire.
  init(_ error: SandboxError, extension identity: Caller.Identity) {
    let code: Code =
      switch error.code {
      case .sandboxUnavailable, .controlGroupUnusable: .sandboxUnavailable
      case .bundleInvalid, .policyInvalid, .containerInvalid: .extensionInvalid
      default: .launchFailed
      }
    self.init(
      code, "\(identity.displayName) was not started. \(error.message)", recovery: error.recovery,
      details: ["sandbox": .string(error.code.rawValue), "extension": .string(identity.id)])
  }
}
