import PostgreSQL
import TestPrograms
import Testing

@testable import GroupStore
@testable import PostgreSQLGroupStore

private let suite: SuiteID = "group.again"

@Suite(.timeLimit(.minutes(1)))
struct `A write to PostgreSQL that is sent again` {
  private let backend: PostgreSQLGroupBackend
  private let pool: PostgreSQLPool

  init() throws {
    var options = try PostgreSQLGroupBackend.Options(
      target: PostgreSQLTarget(TestPostgreSQLServer.shared.get().url()))
    options.schema = "test-\(UInt64.random(in: 0...(.max)))"
    backend = PostgreSQLGroupBackend(options)
    pool = try PostgreSQLPool(.init(target: options.target))
  }

  /// Sends a write that sets a key which must not be there.
  private func send(writer: UInt8, number: Int64, key: String) async throws -> (outcome: Int64, revision: Int64) {
    let name = StoreSchema(backend.options.schema).name
    let row = try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.query(
        """
        SELECT outcome, new_revision
        FROM \(name).write($1, $2, $3, $4, $5, false, false, $4, $6, NULL, NULL, NULL, 1000, 10)
        """,
        [
          .bytes([writer]), .integer(number), .bytes(Array(suite.name.utf8)), .manyBytes([Array(key.utf8)]),
          .manyBytes([[1]]), .integers([0]),
        ], within: .seconds(20)
      ).first
    }
    return (row?.integer(at: 0) ?? -1, row?.integer(at: 1) ?? -1)
  }

  @Test func `is made once, and has the same outcome`() async throws {
    #expect(try await backend.apply(suite, [.set("first", [0])]) == 1)
    for _ in 0..<3 {
      let sent = try await send(writer: 1, number: 5, key: "a")
      #expect(sent.outcome == 0 && sent.revision == 2)
    }
    // Of somebody else it is another write, and its condition does not hold.
    #expect(try await send(writer: 2, number: 5, key: "a").outcome == 1)
    #expect(try await send(writer: 1, number: 6, key: "b").revision == 3)
    #expect(try await backend.snapshot(suite).revision == 3)
  }

  @Test func `has a number of its writer, who writes again and again`() async throws {
    for number in 1...3 { _ = try await backend.apply(suite, [.set("\(number)", [0])]) }
    await #expect(throws: GroupStoreError.self) {
      try await backend.apply(suite, [.set("1", [1])], require: [.absent("1")])
    }
    _ = try await backend.apply(suite, [.set("4", [0])])
    let name = StoreSchema(backend.options.schema).name
    let writers = try await pool.withConnection(within: .seconds(20)) {
      (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT id FROM \(name).writers", within: .seconds(20)).count
    }
    #expect(writers == 1)
  }

  @Test func `after a later one of its writer is not made at all`() async throws {
    _ = try await backend.identity()
    #expect(try await send(writer: 1, number: 6, key: "a").revision == 1)
    let caught = await #expect(throws: PostgreSQLError.self) { try await send(writer: 1, number: 5, key: "b") }
    #expect(caught?.sqlState == "40001")
    #expect(try await backend.snapshot(suite).entries.count == 1)
  }

  @Test func `is made anew when somebody took the tables away`() async throws {
    _ = try await backend.apply(suite, [.set("a", [1])])
    let before = try await backend.identity()
    let name = StoreSchema(backend.options.schema).name
    try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "DROP SCHEMA \(name) CASCADE", within: .seconds(20))
    }
    #expect(try await backend.apply(suite, [.set("b", [1])]) == 1)
    #expect(try await backend.identity() != before)
    #expect(try await backend.delta(suite, after: 1, of: before).batch == .compacted(through: 1))
  }

  @Test func `is remembered for a day, and then no longer`() async throws {
    _ = try await backend.identity()
    let name = StoreSchema(backend.options.schema).name
    for writer in UInt8(1)...2 { _ = try await send(writer: writer, number: 1, key: "\(writer)") }
    let left = try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.run(
        script: """
          UPDATE \(name).writers SET at = clock_timestamp() - interval '1 day 1 second' WHERE id = '\\x01';
          UPDATE \(name).writers SET at = clock_timestamp() - interval '23 hours' WHERE id = '\\x02'
          """, within: .seconds(20))
      let setup = StoreSetup(StoreSchema(self.backend.options.schema), timeout: .seconds(20), RecentChanges())
      try await setup.prepare(connection)
      return try await connection.query("SELECT id FROM \(name).writers", within: .seconds(20)).map { $0.bytes(at: 0) }
    }
    #expect(left == [[2]])
  }

  @Test func `is tried again when the connection was lost while it was prepared`() async throws {
    let setup = StoreSetup(StoreSchema(backend.options.schema), timeout: .seconds(20), RecentChanges())
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
        await connection.close()
        try await setup.prepare(connection)
      }
    }
    #expect(caught?.kind == .connectionLost && caught?.isRetryable == true)
  }

  @Test(arguments: [("off", "on"), ("local", "on"), ("on", "on"), ("remote_write", "remote_write")])
  func `is durable also where the server's default is that it is not`(given: String, kept: String) async throws {
    var options = PostgreSQLPool.Options(target: backend.options.target)
    let setup = StoreSetup(StoreSchema(backend.options.schema), timeout: .milliseconds(19_999), RecentChanges())
    options.prepare = { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "SET synchronous_commit = \(given)", within: .seconds(20))
      try await setup.prepare(connection)
    }
    let found = try await PostgreSQLPool(options).withConnection(within: .seconds(20)) {
      (connection) async throws(PostgreSQLError) in
      var found: [String] = []
      for name in [
        "synchronous_commit", "statement_timeout", "idle_in_transaction_session_timeout",
        "default_transaction_isolation",
      ] {
        found.append(try await connection.query("SHOW \(name)", within: .seconds(20)).first?.text(at: 0) ?? "")
      }
      return found
    }
    #expect(found == [kept, "19999ms", "19999ms", "read committed"])
  }
}
