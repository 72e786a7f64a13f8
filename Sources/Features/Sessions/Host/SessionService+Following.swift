public import Contracts
import EventLoop
public import ExtensionHosting
import Transfers

/// For host apps that wait for what an extension began: “share, and wait until it has arrived”.
extension SessionService {
  /// Records the tasks that a process begins from now on. Call ``outcomes(of:onProgress:)`` after its request.
  public func follow(_ caller: Caller) { followed.begin(caller.instance) }

  /// Waits until the tasks that a followed process began have ended; the process may have exited before. The host holds
  /// the process's sessions meanwhile, so no containing app is started before this returns.
  ///
  /// - Parameters:
  ///   - caller: the process.
  ///   - onProgress: called with the progress of each task.
  /// - Returns: the `didComplete` event of each task, in the order in which the tasks were begun.
  /// - Throws: `storeFailed`, or `CancellationError`; the tasks continue in any case.
  public func outcomes(
    of caller: Caller, onProgress: (Sessions.TaskStatus) -> Void = { _ in }
  ) async throws -> [Sessions.Event] {
    let entry = followed.end(caller.instance)
    return try await withThrowingTaskGroup(of: Void.self) { [leases, loop] group in
      for lease in entry.leases { group.addTask { await leases.keep(lease, on: loop) } }
      let outcome: Result<[Sessions.Event], any Error>
      do {
        var ends: [Sessions.Event] = []
        for id in entry.tasks {
          guard let task = try await journal.task(id) else { continue }
          let report = try await self.outcome(of: task) { onProgress(Sessions.TaskStatus($0)) }
          if let end = report.end { ends.append(Sessions.Event(end)) }
        }
        outcome = .success(ends)
      } catch {
        outcome = .failure(error)
      }
      group.cancelAll()
      for lease in entry.leases { await leases.giveBack(lease) }
      // Now the app may be started for the events.
      journal.changes.send()
      if !entry.leases.isEmpty { await startIfNeeded() }
      return try outcome.get()
    }
  }
}
