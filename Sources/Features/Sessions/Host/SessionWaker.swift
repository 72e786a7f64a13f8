import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import GroupStore
import JSON
import Synchronization
import Transfers

/// Starts containing apps for what became of transfers, where nobody else is there to hear of it.
///
/// An app is started when every task of the session is over and no process has the session.
final class SessionWaker: Sendable {
  private struct State {
    var plans: [SessionKey: WakePlan] = [:]
    var running: Set<SessionKey> = []
  }

  /// As long as an app may take for its events, its start included.
  private static let patience = Duration.seconds(40)
  /// How often to look whether a process that had a session is gone.
  private static let look = Duration.seconds(2)

  private let service: SessionService
  private let host: TransferDaemon.Host
  private let state = Mutex(State())

  init(_ service: SessionService, host: @escaping TransferDaemon.Host) {
    self.service = service
    self.host = host
  }

  /// Whether an app runs for its events, or is still to be started for some.
  func hasWork() async throws -> Bool {
    if state.withLock({ !$0.running.isEmpty }) { return true }
    return try await !due().isEmpty
  }

  /// Runs until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let seen = service.journal.changes.count
        let all = (try? await due()) ?? []
        let now = ContinuousClock.now
        for (session, time) in all where time <= now {
          guard let lease = try? await service.leases.take(session.key, for: 0) else { continue }
          state.withLock { _ = $0.running.insert(session.key) }
          group.addTask { await self.wake(session, lease) }
        }
        // A later attempt, or the end of a process that has a session, is no change of the journal.
        let pause = all.isEmpty ? Duration.seconds(60) : Self.look
        try? await withDeadline(pause, on: service.loop) { [journal = service.journal] in
          try await journal.changes.wait(past: seen)
        }
      }
    }
  }

  /// The sessions whose apps are to be started, and when.
  private func due() async throws(TransferError) -> [(SessionRecord, ContinuousClock.Instant)] {
    var all: [(SessionRecord, ContinuousClock.Instant)] = []
    for key in try await service.journal.unacknowledged().keys {
      guard let session = try await service.journal.session(key), session.configuration.sendsLaunchEvents,
        session.key.app != SessionRecord.tool
      else { continue }
      guard try await service.journal.tasks(key).allSatisfy(\.state.isOver) else { continue }
      guard let newest = try await service.journal.events(of: key).last?.id else { continue }
      let time = state.withLock { state -> ContinuousClock.Instant? in
        if state.running.contains(key) { return nil }
        return state.plans[key, default: WakePlan()].next(for: newest, at: .now)
      }
      if let time { all.append((session, time)) }
    }
    return all
  }

  private func wake(_ session: SessionRecord, _ lease: Lease) async {
    var isHandled = false
    do {
      isHandled = try await withDeadline(Self.patience, on: service.loop) { [self] in
        let host = try await host(session)
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
          group.addTask { try await host.service(SessionService.self).wake(session, lease, on: host) }
          group.addTask { [self] in
            await service.leases.keep(lease, on: service.loop)
            return nil
          }
          defer { group.cancelAll() }
          return try await group.next().flatMap(\.self) ?? false
        }
      }
    } catch {
      service.log.log(
        .error, "app not woken for its transfers",
        metadata: ["app": .string(session.key.app), "error": .string("\(error)")])
    }
    await service.leases.giveBack(lease)
    state.withLock { state in
      state.running.remove(session.key)
      if isHandled { state.plans[session.key] = nil } else { state.plans[session.key]?.failed(at: .now) }
    }
    service.journal.changes.send()
  }
}

extension SessionRecord {
  /// The containing app of transfers that users begin themselves, with the `host` command: nobody is woken for them.
  package static let tool = "host"
}
