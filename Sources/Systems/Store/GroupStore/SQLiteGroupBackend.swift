import SQLite
package import Time

/// The group store of one machine: an SQLite file that several hosts may have open.
///
/// Writes that arrive during a commit share the next commit and its sync; a write never waits for more to arrive.
package final class SQLiteGroupBackend: GroupBackend {
  /// Which failures an acknowledged write survives.
  package enum Durability: String, Sendable, CaseIterable {
    /// A write survives the end of the process at any moment; the last writes may be lost when the power fails.
    case normal
    /// A write survives a power failure.
    case strict
  }

  /// How a store is opened and kept.
  package struct Options: Sendable {
    /// The path of the database file, in an existing folder. The files `.gate` and `.notify` are beside it.
    package var path: String
    /// Which failures an acknowledged write survives.
    package var durability = Durability.normal
    /// The limits of keys, values and suites.
    package var limits = BackendLimits()
    /// How long a call waits for another process that writes.
    package var timeout = Duration.seconds(5)
    /// How often to look for writes of other processes that were not announced.
    package var pollInterval = Duration.seconds(1)
    /// The most pages of 4 KiB in the file, whatever the quotas of the suites add up to; `nil` for no limit.
    package var maximumPageCount: Int? = 65_536
    /// The clock of leases. Tests set it.
    package var clock = BootClock.system
    /// Called at each step of a write, so that a test can end the process there.
    package var crash: @Sendable (CrashPoint) -> Void = { _ in }

    /// Creates options with the defaults and this path.
    package init(path: String) { self.path = path }

    var database: DatabaseOptions {
      DatabaseOptions(
        applicationID: GroupTables.applicationID, durability: durability == .strict ? .full : .normal,
        busyTimeout: timeout, maximumPageCount: maximumPageCount)
    }
  }

  /// The options that the backend was created with.
  package let options: Options
  /// The limits of keys, values and suites.
  package var limits: BackendLimits { options.limits }
  private let recent = RecentChanges()
  private let queue = WriteQueue()
  private let worker: StoreWorker

  /// Creates a backend without touching the disk: the first call opens or creates the file.
  package init(_ options: Options) {
    self.options = options
    worker = StoreWorker(options, recent, queue)
  }

  /// The path of the database file.
  package var path: String? { options.path }

  /// Returns a key's bytes and revision; `nil` when the key is not set.
  package func get(_ suite: SuiteID, _ key: String) async throws(GroupStoreError) -> Versioned? {
    try await worker.read { tables throws(SQLiteError) in try tables.entry(key, in: suite) }
  }

  /// Returns every key of a suite, read in one transaction.
  package func snapshot(_ suite: SuiteID) async throws(GroupStoreError) -> SuiteState {
    try await worker.read { tables throws(SQLiteError) in try tables.snapshot(suite) }
  }

  /// Queues a write, waits until its commit is durable, and wakes the watchers of this process.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws(GroupStoreError) -> Int64 {
    let write = GroupWrite(suite, changes, require, fence, isQuiet: quietly)
    queue.append(write)
    await worker.commit(write)
    guard let outcome = write.outcome else { preconditionFailure("a write that was queued has an outcome") }
    let revision = try outcome.get()
    // Done here and not on the store's thread: most watchers live where the writer does and wake with it.
    recent.wakeWatchers(of: suite)
    return revision
  }

  /// Returns the revision of the last write that was not quiet.
  package func loudRevision(_ suite: SuiteID) async throws(GroupStoreError) -> Int64 {
    try await worker.read { tables throws(SQLiteError) in try tables.loudRevision(suite) }
  }

  /// Returns the identity stored in the database file.
  package func identity() async throws(GroupStoreError) -> StoreID { try await worker.identity() }

  /// Returns the changes after a revision; `compacted` when they are no longer known or `store` is another store.
  package func delta(
    _ suite: SuiteID, after revision: Int64, of store: StoreID?
  ) async throws(GroupStoreError) -> SuiteDelta {
    try await worker.delta(suite, after: revision).comparedWith(store)
  }

  /// Returns a watcher that follows writes of this and of other processes.
  package func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    SuiteWatcher(self, suite, after: revision, of: store, recent)
  }

  /// Acquires a lease in a transaction; `nil` while another owner holds it.
  package func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws(GroupStoreError) -> Lease? {
    try await worker.change { tables, clock throws(SQLiteError) in
      guard let term = LeaseTerm.taking(over: try tables.lease(name), for: owner, duration, clock) else { return nil }
      try tables.keep(term, for: name)
      return Lease(name: name, owner: owner, token: term.token)
    }
  }

  /// Returns who holds a lease now.
  package func holder(of name: String) async throws(GroupStoreError) -> LeaseHolder {
    let store = try await identity()
    return try await worker.change { tables, clock throws(SQLiteError) in
      LeaseHolder(try tables.lease(name)?.lease(named: name, clock), in: store)
    }
  }

  /// Extends a lease; `false` when it is no longer held.
  package func renew(_ lease: Lease, for duration: Duration) async throws(GroupStoreError) -> Bool {
    try await worker.change { tables, clock throws(SQLiteError) in
      guard var term = try tables.lease(lease.name), term.isHeld(by: lease, clock) else { return false }
      term.end = clock.end(of: duration)
      try tables.keep(term, for: lease.name)
      return true
    }
  }

  /// Releases a lease, if it is held.
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
