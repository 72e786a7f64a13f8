import EventLoop
import Synchronization

/// One reader of a suite's changes: it asks for more when it is read, and keeps nothing in between.
final class SuiteWatcher: Sendable {
  private struct State {
    var revision: Int64
    var foreignSeen: UInt64?
  }

  private let backend: any GroupBackend
  private let suite: SuiteID
  private let recent: RecentChanges
  private let bell: Bell
  private let state: Mutex<State>

  init(_ backend: any GroupBackend, _ suite: SuiteID, after revision: Int64, _ recent: RecentChanges) {
    self.backend = backend
    self.suite = suite
    self.recent = recent
    bell = recent.addWatcher(of: suite)
    state = Mutex(State(revision: revision))
  }

  deinit { recent.removeWatcher(of: suite) }

  /// The sequence that reads this watcher.
  var stream: AsyncThrowingStream<ChangeBatch, any Error> {
    AsyncThrowingStream { try await self.next() }
  }

  /// The next batch; `nil` when the task is cancelled.
  private func next() async throws -> ChangeBatch? {
    while !Task.isCancelled {
      let rings = bell.count
      let now = state.withLock { $0 }
      switch recent.look(suite, after: now.revision, foreignSeen: now.foreignSeen) {
      case .take(let batch): return reached(batch)
      case .ask:
        let foreign = recent.foreign
        let batch = try await backend.delta(suite, after: now.revision)
        state.withLock { $0.foreignSeen = foreign }
        if batch.through != now.revision { return reached(batch) }
      case .wait:
        do { try await bell.wait(past: rings) } catch { return nil }
      }
    }
    return nil
  }

  private func reached(_ batch: ChangeBatch) -> ChangeBatch {
    state.withLock { $0.revision = batch.through }
    return batch
  }
}
