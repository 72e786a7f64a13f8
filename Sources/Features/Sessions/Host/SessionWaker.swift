import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import GroupStore
import JSON
import Synchronization
import Transfers

/// Starts containing apps for the events of transfers that no process takes.
///
/// An app is started when every task of the session has ended and no process uses the session.
final class SessionWaker: Sendable {
  private struct State {
    var plans: [SessionKey: WakePlan] = [:]
    var running: Set<SessionKey> = []
  }

  /// The time limit of an app for its events, including its start.
  private static let patience = Duration.seconds(40)
  /// How often to check whether a process that used a session has exited.
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
  /// The containing app of transfers that users begin with the `host` command: no app is started for them.
  package static let tool = "host"
}

/// When a containing app is started for the events of a session that nobody has. Pure.
///
/// An app that does not handle them is started again later, three times in all; then not before there is a newer event.
struct WakePlan {
  static let mostAttempts = 3
  /// From an attempt to the next.
  static let pauses: [Duration] = [.seconds(5), .seconds(60)]

  private var attempts = 0
  private var newestEvent: Int64 = 0
  private var notBefore: ContinuousClock.Instant?

  /// When the app may be started; `nil` when it may not.
  ///
  /// - Parameter event: the newest that is not acknowledged.
  mutating func next(for event: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if event > newestEvent, attempts >= Self.mostAttempts { (attempts, notBefore) = (0, nil) }
    newestEvent = max(newestEvent, event)
    guard attempts < Self.mostAttempts else { return nil }
    return max(now, notBefore ?? now)
  }

  /// The app was started, and did not handle the events.
  mutating func failed(at now: ContinuousClock.Instant) {
    attempts += 1
    notBefore = attempts <= Self.pauses.count ? now + Self.pauses[attempts - 1] : nil
  }
}
