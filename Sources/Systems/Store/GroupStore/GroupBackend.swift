import SQLite

/// Where the group store keeps its suites. Nothing above this protocol knows which backend it is.
///
/// What every backend promises, and one suite of tests checks for each:
/// - A suite's revision begins at 1 with its first write and grows by one with each: no gaps, in the order of the
///   commits.
/// - ``apply(_:_:require:fence:)`` happens as a whole or not at all, and is durable when it returns.
/// - ``watch(_:after:of:)`` misses no revision and keeps their order; what was written in between may be merged. A
///   store that was replaced is noticed, whatever its revisions are.
/// - Every error is a ``GroupStoreError``.
/// - The token of a lease grows with every acquisition, and a stale one fails `apply`, `renew` and `release`.
package protocol GroupBackend: Sendable {
  var limits: BackendLimits { get }

  /// The path of the database file; `nil` for a store that is no file of this machine. By default `nil`.
  var path: String? { get }

  /// A key's bytes and revision, read together; `nil` when it is not set.
  func get(_ suite: SuiteID, _ key: String) async throws -> Versioned?

  /// Every key, as of one moment.
  func snapshot(_ suite: SuiteID) async throws -> SuiteState

  /// Writes, when the conditions hold and the lease is held.
  ///
  /// - Parameter quietly: this writer shows the values itself: ``loudRevision(_:)`` stays.
  /// - Returns: the suite's revision after the write; the one it had, when there was nothing to write.
  /// - Throws: `conflict`, `fenced`, `quota`, `unavailable` or `corrupt`. After an `unavailable` of a store on another machine
  ///   the write may have been stored: the message then says so.
  func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws -> Int64

  /// The suite's revision after the last write that was not quiet; 0 when there was none. Who shows values and writes some
  /// itself sees here whether somebody else has written.
  func loudRevision(_ suite: SuiteID) async throws -> Int64

  /// Which store this is now: another one when it was replaced.
  func identity() async throws -> StoreID

  /// What was written after a revision of a store and is known already: possibly nothing. `compacted`, when the suite
  /// has not come to that revision, or the store is another one by now.
  func delta(_ suite: SuiteID, after revision: Int64, of store: StoreID?) async throws -> SuiteDelta

  /// Follows everything that is written after a revision of a store.
  func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher

  /// Takes a lease; `nil` while somebody else has it. Who has it already takes it anew, with a new token.
  func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws -> Lease?

  /// Lets a lease last from now; `false` when it is no longer held.
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool

  /// Gives a lease back; one that is no longer held is not an error.
  func release(_ lease: Lease) async throws
}

extension GroupBackend {
  package var path: String? { nil }

  /// The damaged databases that were set aside beside this one, oldest first.
  package var setAside: [String] { path.map(DamagedDatabase.all) ?? [] }

  /// A write without a lease.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition] = [], quietly: Bool = false
  ) async throws -> Int64 {
    try await apply(suite, changes, require: require, fence: nil, quietly: quietly)
  }

  /// A write under a lease.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition] = [], fence: Lease?
  ) async throws -> Int64 {
    try await apply(suite, changes, require: require, fence: fence, quietly: false)
  }

  /// What was written after a revision of this store.
  package func delta(_ suite: SuiteID, after revision: Int64) async throws -> ChangeBatch {
    try await delta(suite, after: revision, of: nil).batch
  }

  /// Everything that is written after a revision, as long as the task that reads the sequence is not cancelled. A
  /// reader that falls behind gets merged batches, or `compacted`. Ends with the first error.
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

/// What must be so for a write to happen, checked in the transaction of the write.
package enum Condition: Sendable, Equatable {
  /// The key is not set.
  case absent(String)
  /// The key was last written at this revision.
  case revision(String, Int64)
}
