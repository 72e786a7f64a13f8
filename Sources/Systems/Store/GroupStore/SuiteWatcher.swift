import EventLoop
import Synchronization

/// One reader of a suite's changes. It reads the store when its caller asks, and holds nothing in between.
package final class SuiteWatcher: Sendable {
  private struct State {
    var revision: Int64
    var store: StoreID?
    var seen: RecentChanges.Generation?
  }

  private let backend: any GroupBackend
  private let suite: SuiteID
  private let recent: RecentChanges
  private let signal: Signal
  private let state: Mutex<State>

  /// - Parameter store: the one that the revision is of; when `nil`, the one that is asked first.
  package init(
    _ backend: any GroupBackend, _ suite: SuiteID, after revision: Int64, of store: StoreID?, _ recent: RecentChanges
  ) {
    self.backend = backend
    self.suite = suite
    self.recent = recent
    signal = recent.addWatcher(of: suite)
    state = Mutex(State(revision: revision, store: store))
  }

  deinit { recent.removeWatcher(of: suite) }

  /// Waits for the next batch; `nil` when the task is cancelled. Only one task may wait at a time.
  ///
  /// - Throws: `GroupStoreError` when the store cannot be read. The next call continues where the last one stopped.
  package func next() async throws -> ChangeBatch? {
    while !Task.isCancelled {
      let count = signal.count
      let now = state.withLock { $0 }
      switch recent.look(suite, after: now.revision, seen: now.seen) {
      case .take(let batch): return reached(batch)
      case .ask:
        let generation = recent.generation
        let delta: SuiteDelta
        do {
          delta = try await backend.delta(suite, after: now.revision, of: now.store)
        } catch {
          // A store far away ends its call with the task that made it.
          if Task.isCancelled { return nil }
          throw error
        }
        state.withLock { ($0.seen, $0.store) = (generation, delta.store) }
        let isOther = now.store != nil && now.store != delta.store
        if isOther || delta.batch.through != now.revision { return reached(delta.batch) }
      case .wait:
        do { try await signal.wait(past: count) } catch { return nil }
      }
    }
    return nil
  }

  /// Moves back to an earlier revision that this watcher has already reached.
  package func goBack(to revision: Int64) { state.withLock { $0.revision = revision } }

  private func reached(_ batch: ChangeBatch) -> ChangeBatch {
    state.withLock { $0.revision = batch.through }
    return batch
  }
}
