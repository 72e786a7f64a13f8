import PostgreSQL
import TestPrograms
import Testing

@testable import GroupStore
@testable import PostgreSQLGroupStore

private let suite: SuiteID = "group.schema"

@Suite(.timeLimit(.minutes(1)))
struct `The schema of a store in PostgreSQL` {
  private func options(_ schema: String) throws -> PostgreSQLGroupBackend.Options {
    var options = try PostgreSQLGroupBackend.Options(
      target: PostgreSQLTarget(TestPostgreSQLServer.shared.get().url()))
    options.schema = schema
    return options
  }

  private var unused: String { "test-\(UInt64.random(in: 0...(.max)))" }

  @Test func `is quoted wherever it is named`() {
    let schema = StoreSchema("a\"b'c")
    #expect(schema.name == "\"a\"\"b'c\"" && schema.channelName == "\"annex.a\"\"b'c\"")
    // A mark behind a quote makes the two one character, and the server sees the quote.
    let marked = StoreSchema("a\"\u{301}")
    #expect(Array(marked.name.unicodeScalars) == Array("\"a\"\"\u{301}\"".unicodeScalars))
    #expect(Array(marked.channelName.unicodeScalars) == Array("\"annex.a\"\"\u{301}\"".unicodeScalars))
    #expect(schema.migration(to: 1).contains("pg_notify('annex.a\"b''c',"))
    #expect(schema.migration(to: 2).isEmpty)
  }

  /// PostgreSQL takes the names of channels up to 63 bytes.
  @Test(
    arguments: [
      (String(repeating: "a", count: 54), 60), (String(repeating: "a", count: 55), 60),
      (String(repeating: "é", count: 28), 62), (String(repeating: "é", count: 29), 62),
      ("a" + String(repeating: "é", count: 28), 63), ("a" + String(repeating: "é", count: 29), 63), ("", 6),
    ])
  func `has a channel of 60 characters and 63 bytes`(name: String, bytes: Int) {
    let channel = StoreSchema(name).channel
    #expect(channel.utf8.count == bytes && "annex.\(name)".hasPrefix(channel))
  }

  @Test(arguments: ["\"'\\ ;--", String(repeating: "é", count: 17), ""])
  func `has any name that is an identifier`(ending: String) async throws {
    let name = unused + ending
    let backend = PostgreSQLGroupBackend(try options(name))
    #expect(try await backend.apply(suite, [.set("a", [1])]) == 1)
    let watcher = backend.watch(suite, after: 0, of: nil)
    #expect(try await watcher.next() == .changed([Change(key: "a", bytes: [1], revision: 1)], through: 1))
    // Another host finds the same store, and is heard of.
    let other = PostgreSQLGroupBackend(try options(name))
    #expect(try await other.apply(suite, [.set("b", [2])]) == 2)
    #expect(try await watcher.next() == .changed([Change(key: "b", bytes: [2], revision: 2)], through: 2))
    #expect(try await other.identity() == backend.identity())
    #expect(try await PostgreSQLGroupBackend(try options(unused)).snapshot(suite) == SuiteState())
  }

  @Test func `of a later program is refused, and left as it is`() async throws {
    let options = try options(unused)
    let backend = PostgreSQLGroupBackend(options)
    #expect(try await backend.apply(suite, [.set("a", [1])]) == 1)
    let schema = StoreSchema(options.schema).name
    let pool = try PostgreSQLPool(.init(target: options.target))
    try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "UPDATE \(schema).store SET version = 2", within: .seconds(20))
    }
    let caught = await #expect(throws: GroupStoreError.self) {
      _ = try await PostgreSQLGroupBackend(options).snapshot(suite)
    }
    guard case .unavailable(let message, _, isRetryable: false)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(message.hasSuffix("was made by a newer version of this program (2): update annex."))
    let version = try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT version FROM \(schema).store", within: .seconds(20)).first?.integer(at: 0)
    }
    #expect(version == 2)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An error of a store in PostgreSQL` {
  private func translated(_ error: PostgreSQLError, isWrite: Bool) throws -> GroupStoreError {
    PostgreSQLFailure.translate(error, isWrite: isWrite, try PostgreSQLTarget("postgresql://a@b/c"))
  }

  @Test(arguments: [true, false], [true, false])
  func `says whether a write may have been stored`(isWrite: Bool, isUnknown: Bool) throws {
    let error = PostgreSQLError(.connectionLost, "It broke.", isOutcomeUnknown: isUnknown)
    guard case .unavailable(let message, let recovery, isRetryable: true) = try translated(error, isWrite: isWrite)
    else {
      Issue.record("It is another error.")
      return
    }
    #expect(message.hasSuffix(" Whether the write was stored is not known.") == (isWrite && isUnknown))
    #expect(message.contains("failed: It broke.") && recovery == error.recovery)
  }

  @Test(
    arguments: [
      (.timedOut, nil, true), (.cannotConnect, nil, true), (.refused, "40001", true), (.refused, "42501", false),
      (.misuse, nil, false), (.tooLarge, nil, false),
    ] as [(PostgreSQLError.Kind, String?, Bool)])
  func `says whether another attempt may help`(kind: PostgreSQLError.Kind, state: String?, mayHelp: Bool) throws {
    let error = PostgreSQLError(kind, "No.", sqlState: state)
    guard case .unavailable(_, _, let isRetryable) = try translated(error, isWrite: true) else {
      Issue.record("It is another error.")
      return
    }
    #expect(isRetryable == mayHelp)
  }

  @Test(
    arguments: [("42P01", true), ("3F000", true), ("42883", true), ("42P02", false), (nil, false)]
      as [(String?, Bool)])
  func `is one for tables that are not there by its code`(state: String?, isMissing: Bool) {
    #expect(StoreSetup.isMissing(PostgreSQLError(.refused, "No.", sqlState: state)) == isMissing)
  }
}
