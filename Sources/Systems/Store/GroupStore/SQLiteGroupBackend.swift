package import EventLoop
import SQLite

/// The group store of one machine: one SQLite file that any number of hosts may have open.
///
/// Writes that arrive while a commit runs share the next one and its sync; nobody waits for others to come.
package final class SQLiteGroupBackend: GroupBackend {
  /// What survives what.
  package enum Durability: String, Sendable, CaseIterable {
    /// An acknowledged write survives the end of the process at any moment; a loss of power may take the last ones.
    case normal
    /// An acknowledged write survives a loss of power.
    case strict
  }

  /// How a store is kept.
  package struct Options: Sendable {
    /// The database file, in a folder that exists; `.gate` and `.notify` are beside it.
    package var path: String
    package var durability = Durability.normal
    package var limits = BackendLimits()
    /// How long to wait for another process that writes.
    package var timeout = Duration.seconds(5)
    /// How often to look for writes of other processes that were not announced.
    package var pollInterval = Duration.seconds(1)
    /// Pages of 4 KiB that the file may have, whatever the quotas of the suites come to; `nil` is no limit.
    package var maximumPageCount: Int? = 65_536
    package var clock = BootClock.system
    /// Called at each step of a write: a test ends the process here.
    package var crash: @Sendable (CrashPoint) -> Void = { _ in }

    package init(path: String) { self.path = path }

    var database: DatabaseOptions {
      DatabaseOptions(
        applicationID: GroupTables.applicationID, durability: durability == .strict ? .full : .normal,
        busyTimeout: timeout, maximumPageCount: maximumPageCount)
    }
  }

  package let options: Options
  package var limits: BackendLimits { options.limits }
  private let recent = RecentChanges()
  private let queue = WriteQueue()
  private let worker: StoreWorker

  /// Touches nothing yet: the file is opened, or made, at the first call.
  package init(_ options: Options) {
    self.options = options
    worker = StoreWorker(options, recent, queue)
  }

  package var path: String? { options.path }

  package func get(_ suite: SuiteID, _ key: String) async throws(GroupStoreError) -> Versioned? {
    try await worker.read { tables throws(SQLiteError) in try tables.entry(key, in: suite) }
  }

  package func snapshot(_ suite: SuiteID) async throws(GroupStoreError) -> SuiteState {
    try await worker.read { tables throws(SQLiteError) in try tables.snapshot(suite) }
  }

  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws(GroupStoreError) -> Int64 {
    let write = GroupWrite(suite, changes, require, fence, isQuiet: quietly)
    queue.append(write)
    await worker.commit(write)
    guard let outcome = write.outcome else { preconditionFailure("a write that was queued has an outcome") }
    let revision = try outcome.get()
    // Here and not on the store's thread: the watchers mostly live where the writer does, and are woken with it.
    recent.wakeWatchers(of: suite)
    return revision
  }

  package func loudRevision(_ suite: SuiteID) async throws(GroupStoreError) -> Int64 {
    try await worker.read { tables throws(SQLiteError) in try tables.loudRevision(suite) }
  }

  package func identity() async throws(GroupStoreError) -> StoreID { try await worker.identity() }

  package func delta(
    _ suite: SuiteID, after revision: Int64, of store: StoreID?
  ) async throws(GroupStoreError) -> SuiteDelta {
    try await worker.delta(suite, after: revision).comparedWith(store)
  }

  package func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    SuiteWatcher(self, suite, after: revision, of: store, recent)
  }

  package func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws(GroupStoreError) -> Lease? {
    try await worker.change { tables, clock throws(SQLiteError) in
      guard let term = LeaseTerm.taking(over: try tables.lease(name), for: owner, duration, clock) else { return nil }
      try tables.keep(term, for: name)
      return Lease(name: name, owner: owner, token: term.token)
    }
  }

  package func renew(_ lease: Lease, for duration: Duration) async throws(GroupStoreError) -> Bool {
    try await worker.change { tables, clock throws(SQLiteError) in
      guard var term = try tables.lease(lease.name), term.isHeld(by: lease, clock) else { return false }
      term.end = clock.end(of: duration)
      try tables.keep(term, for: lease.name)
      return true
    }
  }

  package func release(_ lease: Lease) async throws(GroupStoreError) {
    try await worker.change { tables, clock throws(SQLiteError) in
      guard var term = try tables.lease(lease.name), term.isHeld(by: lease, clock) else { return }
      term.owner = nil
      try tables.keep(term, for: lease.name)
    }
  }
}

/// The steps of a durable write at which a test may end the process.
package enum CrashPoint: String, Sendable, CaseIterable {
  case gateTaken, begun, changed, beforeCommit, committed, notified, gateGiven
}
