import SQLite

/// The storage of the group store. Nothing above this protocol depends on which backend it is.
///
/// Every backend guarantees the following, and one suite of tests checks it for each:
/// - A suite's revision begins at 1 with its first write and grows by one with each: no gaps, in the order of the
///   commits.
/// - ``apply(_:_:require:fence:)`` happens as a whole or not at all, and is durable when it returns.
/// - ``watch(_:after:of:)`` misses no revision and keeps their order; it may merge several writes into one batch. It
///   notices when a store was replaced, whatever the revisions are.
/// - Every error is a ``GroupStoreError``.
/// - The token of a lease grows with every acquisition, and a stale one fails `apply`, `renew` and `release`.
package protocol GroupBackend: Sendable {
  var limits: BackendLimits { get }

  /// The path of the database file; `nil`, the default, for a store that is not a file on this machine.
  var path: String? { get }

  /// Returns a key's bytes and revision, read together; `nil` when the key is not set.
  func get(_ suite: SuiteID, _ key: String) async throws -> Versioned?

  /// Returns every key of a suite, all read at the same moment.
  func snapshot(_ suite: SuiteID) async throws -> SuiteState

  /// Writes to a suite if the conditions hold and the lease, if any, is held.
  ///
  /// - Parameter quietly: whether the writer displays the new values itself, so that ``loudRevision(_:)`` does not
  ///   change.
  /// - Returns: the suite's revision after the write; the previous one when there was nothing to write.
  /// - Throws: `conflict`, `fenced`, `quota`, `unavailable` or `corrupt`. After an `unavailable` of a store on another machine
  ///   the write may have been stored: the message then says so.
  func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws -> Int64

  /// Returns the suite's revision after the last write that was not quiet; 0 when there was none. A process that
  /// displays values and also writes some learns from it whether another process has written.
  func loudRevision(_ suite: SuiteID) async throws -> Int64

  /// Returns the identity of the store. It changes when the store is replaced.
  func identity() async throws -> StoreID

  /// Returns the changes after a revision of a store, without waiting; the batch may be empty. The batch is `compacted`
  /// when the suite has not reached that revision or the store was replaced.
  func delta(_ suite: SuiteID, after revision: Int64, of store: StoreID?) async throws -> SuiteDelta

  /// Returns a watcher for every write after a revision of a store.
  func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher

  /// Acquires a lease; `nil` while another owner holds it. The current owner may acquire it again and receives a new
  /// token.
  func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws -> Lease?

  /// Returns who holds a lease now, by the store's clock.
  func holder(of name: String) async throws -> LeaseHolder

  /// Extends a lease by `duration` from now; `false` when it is no longer held.
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool

  /// Releases a lease. It is not an error when the lease is no longer held.
  func release(_ lease: Lease) async throws
}

extension GroupBackend {
  /// `nil`: the store is not a file on this machine.
  package var path: String? { nil }

  /// The paths of damaged databases that were set aside beside this one, oldest first.
  package var setAside: [String] { path.map(DamagedDatabase.all) ?? [] }

  /// Writes without a lease.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition] = [], quietly: Bool = false
  ) async throws -> Int64 {
    try await apply(suite, changes, require: require, fence: nil, quietly: quietly)
  }

  /// Writes under a lease.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition] = [], fence: Lease?
  ) async throws -> Int64 {
    try await apply(suite, changes, require: require, fence: fence, quietly: false)
  }

  /// Returns the changes after a revision of this store.
  package func delta(_ suite: SuiteID, after revision: Int64) async throws -> ChangeBatch {
    try await delta(suite, after: revision, of: nil).batch
  }

  /// Returns every write after a revision until the reading task is cancelled. A slow reader receives merged batches or
  /// `compacted`. The sequence ends with the first error.
  package func changes(_ suite: SuiteID, after revision: Int64) -> AsyncThrowingStream<ChangeBatch, any Error> {
    let watcher = watch(suite, after: revision, of: nil)
    return AsyncThrowingStream { try await watcher.next() }
  }
}

/// One step of a write.
package enum Mutation: Sendable, Equatable {
  case set(String, [UInt8])
  /// A key that is not set is not an error.
  case remove(String)
  /// Removes every key of the suite.
  case removeAll
}

/// A condition of a write, checked in the write's transaction.
package enum Condition: Sendable, Equatable {
  /// The key must not be set.
  case absent(String)
  /// The key must have been written last at this revision.
  case revision(String, Int64)
}

/// Where a group store is kept that is not a file of its host's own. A library that knows such a place makes one, as
/// `PostgreSQLGroupStore` does; what it does is this package's own matter.
public struct GroupStoreProvider: Sendable {
  package let backend: any GroupBackend

  package init(_ backend: any GroupBackend) { self.backend = backend }
}
