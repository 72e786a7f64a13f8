import EventLoop
import GroupStore
import PostgreSQL
import Synchronization

/// Prepares a new connection for the store: applies its settings, and creates or migrates the tables.
final class StoreSetup: Sendable {
  /// The oldest server that has all that is used here.
  private static let oldestServer = 130_000

  private let schema: StoreSchema
  private let timeout: Duration
  private let recent: RecentChanges
  /// The identity of the store that was found last.
  private let store = Mutex<StoreID?>(nil)
  /// Whether this process has not yet looked for writers to forget.
  private let mayForget = Atomic<Bool>(true)

  init(_ schema: StoreSchema, timeout: Duration, _ recent: RecentChanges) {
    self.schema = schema
    self.timeout = timeout
    self.recent = recent
  }

  func prepare(_ connection: PostgreSQLConnection) async throws(PostgreSQLError) {
    guard let server = await connection.server else {
      throw PostgreSQLError(.connectionLost, "The connection to the database ended while it was prepared.")
    }
    guard server.version >= Self.oldestServer else {
      throw PostgreSQLError(.misuse, "The group store needs a server of PostgreSQL 13 or newer.")
    }
    try await connection.run(script: settings, within: timeout)
    if let found = try await found(on: connection), found.version >= StoreSchema.version {
      guard found.version == StoreSchema.version else {
        throw PostgreSQLError(
          .misuse,
          "The group store in the database was made by a newer version of this program (\(found.version)): update annex."
        )
      }
      note(found.id)
      await forgetWriters(on: connection)
      return
    }
    try await make(on: connection)
    if let found = try await found(on: connection) { note(found.id) }
  }

  /// Removes, once for each process, what writers wrote so long ago that nobody sends it again. It is no matter when that
  /// fails; it never waits for a standby.
  private func forgetWriters(on connection: PostgreSQLConnection) async {
    guard mayForget.exchange(false, ordering: .relaxed) else { return }
    try? await connection.run(script: schema.forgettingWriters, within: timeout)
  }

  /// Remembers the identity of the store. Watchers of another store start again.
  func note(_ id: StoreID) {
    let isOther = store.withLock { store in
      defer { store = id }
      return store != nil && store != id
    }
    if isOther { recent.addReplacement() }
  }

  /// An acknowledged write is durable whatever the server's default is, and no statement is left running. The time of
  /// statements does not count while a commit waits for a standby.
  private var settings: String {
    """
    SET statement_timeout = \(max(1, timeout.wholeMilliseconds));
    SET idle_in_transaction_session_timeout = \(max(1, timeout.wholeMilliseconds));
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local')
    """
  }

  private func found(
    on connection: PostgreSQLConnection
  ) async throws(PostgreSQLError) -> (version: Int64, id: StoreID)? {
    do throws(PostgreSQLError) {
      let rows = try await connection.query(
        "SELECT version, encode(id, 'hex') FROM \(schema.name).store", within: timeout)
      return rows.first.map { ($0.integer(at: 0), StoreID($0.text(at: 1))) }
    } catch {
      if Self.isMissing(error) { return nil }
      throw error
    }
  }

  /// Whether a statement failed since the tables or the functions are not there.
  static func isMissing(_ error: PostgreSQLError) -> Bool {
    ["42P01", "3F000", "42883"].contains(error.sqlState)
  }

  /// Creates the tables. When several hosts do so at once, one succeeds and the others try again and find them.
  private func make(on connection: PostgreSQLConnection) async throws(PostgreSQLError) {
    for _ in 0..<20 {
      do throws(PostgreSQLError) {
        return try await connection.transaction(within: timeout) { (connection) async throws(PostgreSQLError) in
          try await self.migrate(on: connection)
        }
      } catch {
        guard let state = error.sqlState,
          ["23505", "42P06", "42P07", "42723", "40001", "40P01", "XX000"].contains(state)
        else { throw error }
      }
    }
    throw PostgreSQLError(.cannotConnect, "Other hosts kept the tables of the group store from being made.")
  }

  private func migrate(on connection: PostgreSQLConnection) async throws(PostgreSQLError) {
    // Checked first, because a role without the right to create a schema may still use an existing one.
    if try await !isThere("to_regnamespace", schema.name, on: connection) {
      try await connection.run(script: "CREATE SCHEMA IF NOT EXISTS \(schema.name)", within: timeout)
    }
    if try await !isThere("to_regclass", "\(schema.name).store", on: connection) {
      try await connection.run(script: schema.foundation, within: timeout)
    }
    try await connection.query(
      """
      INSERT INTO \(schema.name).store (version, id)
      VALUES (0, decode(replace(gen_random_uuid()::text, '-', ''), 'hex')) ON CONFLICT DO NOTHING
      """, within: timeout)
    // The host that holds this row may change the tables.
    let rows = try await connection.query("SELECT version FROM \(schema.name).store FOR UPDATE", within: timeout)
    let version = rows.first?.integer(at: 0) ?? 0
    guard version < StoreSchema.version else { return }
    for next in (version + 1)...StoreSchema.version {
      try await connection.run(script: schema.migration(to: next), within: timeout)
    }
    try await connection.query(
      "UPDATE \(schema.name).store SET version = $1", [.integer(StoreSchema.version)], within: timeout)
  }

  /// Without an error, which would end the transaction.
  private func isThere(
    _ function: String, _ name: String, on connection: PostgreSQLConnection
  ) async throws(PostgreSQLError) -> Bool {
    let rows = try await connection.query("SELECT \(function)($1) IS NOT NULL", [.text(name)], within: timeout)
    return rows.first?.boolean(at: 0) ?? false
  }
}
