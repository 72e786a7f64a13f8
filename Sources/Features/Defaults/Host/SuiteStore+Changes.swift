public import Contracts
package import GroupStore
import Synchronization

extension SuiteStore {
  /// The changes that a watcher receives: everything after one revision up to another.
  public struct Changes: Sendable, Equatable {
    /// The revision at which the batch before ended.
    public var after: Int64
    /// The revision that the changes lead to.
    public var revision: Int64
    /// Each key that was written in between, once. `nil` when they are no longer known one by one: read the suite again.
    public var changes: [Defaults.Change]?
  }

  /// Returns every write to a suite after a revision, by any host, until the task is cancelled. No revision is missed
  /// or repeated. A slow reader receives larger batches.
  public func changes(in suite: String, after revision: Int64) -> AsyncThrowingStream<Changes, any Error> {
    let watch = SuiteWatch(store: self, suite: suite, after: revision, of: nil)
    return AsyncThrowingStream { try await watch.next() }
  }

  /// Returns the identity of the store. A ``SuiteWatch`` with it notices when the store is replaced after this call.
  package func identity() async throws -> StoreID {
    do { return try await watched().identity() } catch { throw Self.translate(error) }
  }

  /// Returns the known changes of a suite after a revision; empty when the revision is the current one.
  ///
  /// - Throws: `storeFailed`.
  public func delta(in suite: String, after revision: Int64) async throws -> Changes {
    do {
      return try Changes(await watched().delta(SuiteID(suite), after: revision), after: revision)
    } catch {
      throw Self.translate(error)
    }
  }
}

/// The changes of a suite for one reader, one task at a time. After a failure the watch continues where it stopped.
final class SuiteWatch: Sendable {
  private struct State {
    var revision: Int64
    var watcher: SuiteWatcher?
  }

  private let store: SuiteStore
  private let suite: SuiteID
  private let identity: StoreID?
  private let state: Mutex<State>

  /// - Parameter identity: the store that the revision is of; when `nil`, the one that is found first.
  init(store: SuiteStore, suite: String, after revision: Int64, of identity: StoreID?) {
    self.store = store
    self.suite = SuiteID(suite)
    self.identity = identity
    state = Mutex(State(revision: revision))
  }

  /// - Returns: the next changes; `nil` when the task is cancelled.
  func next() async throws -> SuiteStore.Changes? {
    do {
      guard let batch = try await watcher().next() else { return nil }
      let after = state.withLock { state in
        defer { state.revision = batch.through }
        return state.revision
      }
      return try SuiteStore.Changes(batch, after: after)
    } catch {
      throw SuiteStore.translate(error)
    }
  }

  /// Moves back to an earlier revision that this reader has already reached.
  func goBack(to revision: Int64) {
    state.withLock { state in
      state.revision = revision
      state.watcher?.goBack(to: revision)
    }
  }

  private func watcher() throws -> SuiteWatcher {
    let backend = try store.watched()
    return state.withLock { state in
      if let known = state.watcher { return known }
      let watcher = backend.watch(suite, after: state.revision, of: identity)
      state.watcher = watcher
      return watcher
    }
  }
}

extension SuiteStore.Changes {
  init(_ batch: ChangeBatch, after: Int64) throws {
    self.after = after
    revision = batch.through
    switch batch {
    case .compacted: changes = nil
    case .changed(let changes, _):
      self.changes = try changes.map { change in
        Defaults.Change(
          key: change.key, value: try change.bytes.map(SuiteValueCoding.decode), revision: change.revision)
      }
    }
  }
}
