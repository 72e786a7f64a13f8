import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import GroupStore
import Transfers

/// Notifies the owner of a session while the owner runs.
extension SessionService {
  /// From one attempt to tell an owner that acknowledged nothing to the next: doubled each time, up to the longest.
  private static let (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(30))

  /// Renews the lease of a session, and tells its owner of the events, until the session has another owner or the task is
  /// cancelled.
  func attend(_ key: SessionKey, _ caller: Caller) async {
    guard let entry = use.entry(key, of: caller.instance) else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.leases.keep(entry.lease, on: self.loop) }
      group.addTask { await self.tell(key, entry.epoch, caller) }
      await group.next()
      group.cancelAll()
    }
    // Another task handles the sessions of a process that has exited.
    if Task.isCancelled { return }
    // The lease ended with the first of the two; the process learns of it at its next call.
    if use.end(key, epoch: entry.epoch, of: caller.instance) { await leases.giveBack(entry.lease) }
  }

  private func tell(_ key: SessionKey, _ epoch: Int64, _ caller: Caller) async {
    var pause = Self.firstPause
    // A session that the process has made anew is told of by a task of its own.
    while !Task.isCancelled, use.entry(key, of: caller.instance)?.epoch == epoch {
      let seen = journal.changes.count
      do {
        switch try await hand(key, epoch, to: caller.process) {
        case .nothing:
          pause = Self.firstPause
          try await journal.changes.wait(past: seen)
        case .acknowledged: pause = Self.firstPause
        case .ignored:
          try await loop.sleep(for: pause)
          pause = min(pause * 2, Self.longestPause)
        }
      } catch TransferError.stale, TransferError.noSession {
        return
      } catch {
        do { try await loop.sleep(for: pause) } catch { return }
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  /// The result of delivering events.
  enum Handed {
    /// There were none.
    case nothing
    /// At least one was acknowledged.
    case acknowledged
    /// None was acknowledged.
    case ignored
  }

  /// Hands the events of a session to a process, and strikes off what it acknowledges.
  func hand(_ key: SessionKey, _ epoch: Int64, to process: ExtensionProcess) async throws -> Handed {
    let events = try await journal.events(of: key, atMost: Sessions.mostEvents)
    if events.isEmpty { return .nothing }
    let answer = try await process.call(
      Sessions.HandleEvents(sessionID: key.identifier, epoch: epoch, events: events.map { Sessions.Event($0) }))
    let given = Set(events.map(\.id))
    let acked = answer.acked.filter { given.contains($0) }
    if acked.isEmpty { return .ignored }
    try await journal.acknowledge(acked, of: key, epoch: epoch)
    return .acknowledged
  }

  /// Starts the containing app for the events of a session without an owner, and delivers them.
  ///
  /// - Parameter lease: the session's lease, which this process acquired for the app.
  /// - Returns: whether the app acknowledged every event and reported that it has handled them.
  /// - Throws: the error of starting the app.
  func wake(_ session: SessionRecord, _ lease: Lease, on host: ExtensionHost) async throws -> Bool {
    let epoch = try await journal.take(
      session.key, token: lease.token, of: try await leases.place(), owner: session.owner)
    return try await host.withApp(session.key.app) { process in
      let instance = process.caller.instance
      use.begin(session.key, lease, epoch: epoch, instance, isWoken: true)
      defer { use.end(session.key, epoch: epoch, of: instance) }
      while true {
        switch try await hand(session.key, epoch, to: process) {
        case .acknowledged: continue
        case .ignored: return false
        case .nothing: return use.isHandled(session.key, by: instance)
        }
      }
    }
  }
}
