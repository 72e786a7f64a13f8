public import Contracts
import GroupStore

extension SuiteStore {
  /// What a watcher of a suite is told: everything after one revision up to another.
  public struct Changes: Sendable, Equatable {
    /// The revision at which the batch before ended.
    public var after: Int64
    public var revision: Int64
    /// Each key that was written in between, once. `nil` when they are no longer known one by one: read the suite again.
    public var changes: [Defaults.Change]?
  }

  /// Everything that is written to a suite after a revision, by any host, until the task is cancelled: no revision is
  /// missed, none comes twice. Who falls behind gets larger batches.
  public func changes(in suite: String, after revision: Int64) -> AsyncThrowingStream<Changes, any Error> {
    let batches = Batches(store: self, suite: SuiteID(suite), revision: revision)
    return AsyncThrowingStream { try await batches.next() }
  }

  /// What is known to have changed in a suite after a revision: nothing, when the two revisions are equal.
  public func delta(in suite: String, after revision: Int64) async throws -> Changes {
    do {
      return try Changes(await watched().delta(SuiteID(suite), after: revision), after: revision)
    } catch {
      throw Self.translate(error)
    }
  }
}

/// The batches of one watcher.
private actor Batches {
  private let store: SuiteStore
  private let suite: SuiteID
  private var revision: Int64
  private var stream: AsyncThrowingStream<ChangeBatch, any Error>?

  init(store: SuiteStore, suite: SuiteID, revision: Int64) {
    self.store = store
    self.suite = suite
    self.revision = revision
  }

  func next() async throws -> SuiteStore.Changes? {
    do {
      let stream = try self.stream ?? store.watched().changes(suite, after: revision)
      self.stream = stream
      var iterator = stream.makeAsyncIterator()
      guard let batch = try await iterator.next(isolation: self) else { return nil }
      defer { revision = batch.through }
      return try SuiteStore.Changes(batch, after: revision)
    } catch {
      throw SuiteStore.translate(error)
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
