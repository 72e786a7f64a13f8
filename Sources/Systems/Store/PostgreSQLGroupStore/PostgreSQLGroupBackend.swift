import EventLoop
package import GroupStore
package import PostgreSQL
import Synchronization

/// The group store of several machines: tables in one PostgreSQL database.
///
/// An acknowledged write is as durable as the server's commit; with a standby, replication must be synchronous. The
/// backend repeats reads and writes while servers restart or fail over, and never stores a write twice. When the time
/// limit passes and the outcome of a write is unknown, the error says so.
package final class PostgreSQLGroupBackend: GroupBackend {
  /// How a store is reached and kept.
  package struct Options: Sendable {
    /// The server, the database and the credentials.
    package var target: PostgreSQLTarget
    /// The PostgreSQL schema of the store's tables. One database may hold several stores in different schemas.
    package var schema = "annex"
    /// The limits of keys, values and suites.
    package var limits = BackendLimits()
    /// The time limit of one call, including repetitions.
    package var timeout = Duration.seconds(10)
    /// How often to look for writes of other hosts that were not announced.
    package var pollInterval = Duration.seconds(1)
    /// The most connections, besides the one that listens for announcements.
    package var maximumConnections = 4

    /// Creates options with the defaults and this target.
    package init(target: PostgreSQLTarget) { self.target = target }
  }

  /// The options that the backend was created with.
  package let options: Options
  /// The limits of keys, values and suites.
  package var limits: BackendLimits { options.limits }
  private let schema: StoreSchema
  private let recent = RecentChanges()
  private let writers = Writers()
  private let setup: StoreSetup
  private let listener: ChangeListener
  /// The connections, created at the first call.
  private let pool = Mutex<PostgreSQLPool?>(nil)

  /// Creates a backend without connecting: the first call finds or creates the tables.
  package init(_ options: Options) {
    self.options = options
    schema = StoreSchema(options.schema)
    setup = StoreSetup(schema, timeout: options.timeout, recent)
    listener = ChangeListener(
      options.target, channel: schema.channelName, every: options.pollInterval, recent, writers)
  }

  // MARK: Reading

  /// Returns a key's bytes and revision; `nil` when the key is not set.
  package func get(_ suite: SuiteID, _ key: String) async throws(GroupStoreError) -> Versioned? {
    let rows = try await query(
      "SELECT value, revision FROM \(schema.name).items WHERE suite = $1 AND key = $2 AND value IS NOT NULL",
      [.bytes(of: suite.name), .bytes(of: key)])
    return rows.first.map { Versioned(bytes: $0.bytes(at: 0), revision: $0.integer(at: 1)) }
  }

  /// Returns every key of a suite. One statement reads them, so that all are of one moment.
  package func snapshot(_ suite: SuiteID) async throws(GroupStoreError) -> SuiteState {
    let rows = try await query(
      """
      SELECT s.revision, i.key, i.value, i.revision
      FROM \(schema.name).suites s LEFT JOIN \(schema.name).items i ON i.suite = s.name AND i.value IS NOT NULL
      WHERE s.name = $1
      """, [.bytes(of: suite.name)])
    var state = SuiteState()
    for row in rows {
      state.revision = row.integer(at: 0)
      if row.isNull(at: 1) { continue }
      state.entries[row.text(at: 1)] = Versioned(bytes: row.bytes(at: 2), revision: row.integer(at: 3))
    }
    return state
  }

  /// Returns the revision of the last write that was not quiet.
  package func loudRevision(_ suite: SuiteID) async throws(GroupStoreError) -> Int64 {
    let rows = try await query(
      "SELECT loud FROM \(schema.name).suites WHERE name = $1", [.bytes(of: suite.name)])
    return rows.first?.integer(at: 0) ?? 0
  }

  /// Returns the identity stored in the database.
  package func identity() async throws(GroupStoreError) -> StoreID {
    let rows = try await query("SELECT encode(id, 'hex') FROM \(schema.name).store", [])
    let id = StoreID(rows.first?.text(at: 0) ?? "")
    setup.note(id)
    return id
  }

  /// Returns the changes after a revision. One statement reads them, so that all are of one moment.
  package func delta(
    _ suite: SuiteID, after revision: Int64, of store: StoreID?
  ) async throws(GroupStoreError) -> SuiteDelta {
    try listener.start()
    let rows = try await query(
      """
      SELECT encode(store.id, 'hex'), s.revision, s.compacted, i.key, i.value, i.revision
      FROM \(schema.name).store LEFT JOIN \(schema.name).suites s ON s.name = $1
        LEFT JOIN \(schema.name).items i ON i.suite = s.name AND i.revision > $2
      ORDER BY i.revision, i.key
      """, [.bytes(of: suite.name), .integer(revision)])
    let id = StoreID(rows.first?.text(at: 0) ?? "")
    setup.note(id)
    let (through, compacted) = rows.first.map { ($0.integer(at: 1), $0.integer(at: 2)) } ?? (0, 0)
    let changes = rows.filter { !$0.isNull(at: 3) }.map { row in
      Change(key: row.text(at: 3), bytes: row.isNull(at: 4) ? nil : row.bytes(at: 4), revision: row.integer(at: 5))
    }
    let batch: ChangeBatch =
      if revision == through {
        .changed([], through: through)
      } else if revision < compacted || revision > through {
        .compacted(through: through)
      } else {
        .changed(changes, through: through)
      }
    return SuiteDelta(batch, of: id).comparedWith(store)
  }

  /// Returns a watcher that follows writes of this and of other hosts.
  package func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    SuiteWatcher(self, suite, after: revision, of: store, recent)
  }

  // MARK: Writing

  /// Writes in one statement on the server if the conditions hold and the lease is held.
  package func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws(GroupStoreError) -> Int64 {
    for change in changes { try limits.check(change, in: suite) }
    let plan = WritePlan(changes)
    let writer = writers.take()
    defer { writers.giveBack(writer) }
    let rows: [PostgreSQLRow]
    do throws(GroupStoreError) {
      rows = try await query(
        """
        SELECT outcome, new_revision, detail
        FROM \(schema.name).write($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """, parameters(suite, plan, require, fence, quietly, writer), isWrite: true)
    } catch {
      // The write may have been stored, so watchers look.
      recent.addForeign()
      throw error
    }
    guard let row = rows.first else { throw PostgreSQLFailure.noAnswer(options.target) }
    let revision = row.integer(at: 1)
    switch row.integer(at: 0) {
    case 0: break
    case 1: throw .conflict(key: row.text(at: 2), revision: revision)
    case 2: throw .fenced(lease: fence?.name ?? "")
    default:
      try limits.check(bytes: Int(clamping: revision), grownBy: 1, in: suite)
      throw PostgreSQLFailure.noAnswer(options.target)
    }
    if plan.clears {
      // Only the server knows which keys existed.
      recent.addForeign()
    } else if !changes.isEmpty {
      recent.add(plan.changes(at: revision), to: suite, revision: revision)
      recent.wakeWatchers(of: suite)
    }
    return revision
  }

  private func parameters(
    _ suite: SuiteID, _ plan: WritePlan, _ require: [Condition], _ fence: Lease?, _ quietly: Bool,
    _ writer: Writers.Writer
  ) -> [PostgreSQLValue] {
    let required = require.map { condition in
      switch condition {
      case .absent(let key): (key: key, revision: Int64(0))
      case .revision(let key, let revision): (key: key, revision: revision)
      }
    }
    return [
      .bytes(writer.id), .integer(writer.number), .bytes(of: suite.name),
      .manyBytes(plan.keys.map { Array($0.utf8) }), .manyBytes(plan.values), .boolean(plan.clears), .boolean(quietly),
      .manyBytes(required.map { Array($0.key.utf8) }), .integers(required.map(\.revision)),
      fence.map { .bytes(of: $0.name) } ?? .null, fence.map { .bytes(of: $0.owner.name) } ?? .null,
      fence.map { .integer($0.token) } ?? .null, .integer(Int64(limits.maxSuiteBytes)),
      .integer(Int64(limits.maxTombstones)),
    ]
  }

  // MARK: Leases

  /// Acquires a lease by the server's clock; `nil` while another owner holds it.
  package func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws(GroupStoreError) -> Lease? {
    let rows = try await query(
      "SELECT \(schema.name).acquire($1, $2, $3)",
      [.bytes(of: name), .bytes(of: owner.name), .interval(duration)], isWrite: true)
    guard let row = rows.first, !row.isNull(at: 0) else { return nil }
    return Lease(name: name, owner: owner, token: row.integer(at: 0))
  }

  /// Returns who holds a lease now, by the server's clock.
  package func holder(of name: String) async throws(GroupStoreError) -> LeaseHolder {
    let rows = try await query(
      """
      SELECT encode(s.id, 'hex'), l.owner, l.token FROM \(schema.name).store s
        LEFT JOIN \(schema.name).leases l ON l.name = $1 AND l.owner IS NOT NULL AND l.ends > \(schema.name).clock()
      """, [.bytes(of: name)])
    guard let row = rows.first else { throw PostgreSQLFailure.noAnswer(options.target) }
    let lease = row.isNull(at: 1) ? nil : Lease(name: name, owner: OwnerID(row.text(at: 1)), token: row.integer(at: 2))
    return LeaseHolder(lease, in: StoreID(row.text(at: 0)))
  }

  /// Extends a lease; `false` when it is no longer held.
  package func renew(_ lease: Lease, for duration: Duration) async throws(GroupStoreError) -> Bool {
    try await renew(lease, .interval(duration))
  }

  /// Releases a lease, if it is held.
  package func release(_ lease: Lease) async throws(GroupStoreError) { _ = try await renew(lease, .null) }

  private func renew(_ lease: Lease, _ lasting: PostgreSQLValue) async throws(GroupStoreError) -> Bool {
    let rows = try await query(
      "SELECT \(schema.name).renew($1, $2, $3, $4)",
      [.bytes(of: lease.name), .bytes(of: lease.owner.name), .integer(lease.token), lasting], isWrite: true)
    return rows.first?.boolean(at: 0) ?? false
  }

  // MARK: The server

  /// Returns which server answers, and the round-trip time of a query that reads no table.
  package func server() async throws(GroupStoreError) -> (server: PostgreSQLServer, roundTrip: Duration) {
    try await perform(isWrite: false) { (connection, time) async throws(PostgreSQLError) in
      try await connection.query("SELECT 1", within: time)
      let start = ContinuousClock.now
      try await connection.query("SELECT 1", within: time)
      let roundTrip = ContinuousClock.now - start
      guard let server = await connection.server else {
        throw PostgreSQLError(.connectionLost, "The connection to the database ended.")
      }
      return (server, roundTrip)
    }
  }

  private func query(
    _ sql: String, _ values: [PostgreSQLValue], isWrite: Bool = false
  ) async throws(GroupStoreError) -> [PostgreSQLRow] {
    try await perform(isWrite: isWrite) { (connection, time) async throws(PostgreSQLError) in
      try await connection.query(sql, values, within: time)
    }
  }

  private func perform<Value: Sendable>(
    isWrite: Bool, _ body: @escaping @Sendable (PostgreSQLConnection, Duration) async throws(PostgreSQLError) -> Value
  ) async throws(GroupStoreError) -> Value {
    do throws(PostgreSQLError) {
      let pool = try opened()
      return try await pool.retrying(within: options.timeout) { (connection, time) async throws(PostgreSQLError) in
        do throws(PostgreSQLError) {
          return try await body(connection, time)
        } catch {
          guard StoreSetup.isMissing(error) else { throw error }
          // The tables were dropped. A new connection creates them again.
          await connection.close()
          throw PostgreSQLError(.connectionLost, error.message)
        }
      }
    } catch {
      throw PostgreSQLFailure.translate(error, isWrite: isWrite, options.target)
    }
  }

  private func opened() throws(PostgreSQLError) -> PostgreSQLPool {
    try pool.withLock { pool throws(PostgreSQLError) in
      if let pool { return pool }
      var options = PostgreSQLPool.Options(target: options.target)
      options.maximumCount = self.options.maximumConnections
      options.connectTimeout = min(self.options.timeout, .seconds(3))
      // The settings of the connection end what waits for a lock. Nothing ends the wait of a commit for its standby.
      options.cancelsStatements = false
      options.prepare = { [setup] (connection) async throws(PostgreSQLError) in try await setup.prepare(connection) }
      let made = try PostgreSQLPool(options)
      pool = made
      return made
    }
  }
}

extension PostgreSQLValue {
  /// Text as bytes, independent of the database's encoding.
  fileprivate static func bytes(of text: String) -> PostgreSQLValue { .bytes(Array(text.utf8)) }

  /// The duration, at most a hundred years, because PostgreSQL's timestamps have an end.
  fileprivate static func interval(_ duration: Duration) -> PostgreSQLValue {
    let microseconds = min(duration, .seconds(3_155_760_000)).wholeNanoseconds / 1_000
    return .text("\(microseconds) microseconds")
  }
}

/// What PostgreSQL reports, in the store's terms.
enum PostgreSQLFailure {
  static func translate(_ error: PostgreSQLError, isWrite: Bool, _ target: PostgreSQLTarget) -> GroupStoreError {
    var message = "The group store (\(target)) failed: \(error.message)"
    if isWrite, error.isOutcomeUnknown { message += " Whether the write was stored is not known." }
    return .unavailable(
      message, recovery: error.recovery,
      isRetryable: error.isRetryable || error.kind == .timedOut)
  }

  static func noAnswer(_ target: PostgreSQLTarget) -> GroupStoreError {
    .unavailable(
      "The group store (\(target)) gave no answer that is understood.",
      recovery: "Use one version of this program on all machines.", isRetryable: false)
  }
}
