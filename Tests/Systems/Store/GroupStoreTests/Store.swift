import PostgreSQL
import Synchronization
import TestPrograms
import TestSupport
import Testing
import Time

@testable import GroupStore
@testable import PostgreSQLGroupStore

/// A store that the conformance suite runs against.
enum Store: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite, sqliteStrict, postgresql
  var testDescription: String { rawValue }

  /// Runs the body with a new store and its clock.
  func run(
    limits: BackendLimits = BackendLimits(), _ body: (any GroupBackend, any StoreClock) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    let directory = try TemporaryDirectory()
    switch self {
    case .memory: try await body(InMemoryGroupBackend(limits: limits, clock: clock.clock), clock)
    case .sqlite, .sqliteStrict:
      var options = SQLiteGroupBackend.Options(path: "\(directory.path)/groups.sqlite")
      options.durability = self == .sqlite ? .normal : .strict
      options.limits = limits
      options.clock = clock.clock
      try await body(SQLiteGroupBackend(options), clock)
    case .postgresql:
      var options = try PostgreSQLGroupBackend.Options(
        target: PostgreSQLTarget(TestPostgreSQLServer.shared.get().url()))
      options.schema = "test-\(UInt64.random(in: 0...(.max)))"
      options.limits = limits
      let backend = PostgreSQLGroupBackend(options)
      try await body(backend, ServerClock(of: backend))
    }
    withExtendedLifetime(directory) {}
  }
}

/// The clock of a store's leases, which a test moves.
protocol StoreClock: Sendable {
  func advance(by duration: Duration) async throws
}

/// A boot clock that stands until a test moves it.
final class ManualClock: StoreClock {
  private let time = Mutex<Int64>(1_000)
  var clock: BootClock { BootClock(boot: "this") { self.time.withLock { $0 } } }
  func advance(by duration: Duration) {
    time.withLock { $0 += Int64(duration.components.seconds) * 1_000_000_000 + 1 }
  }
}

/// The clock of a PostgreSQL store, put in the place of the server's: it stands until a test moves it.
struct ServerClock: StoreClock {
  private let pool: PostgreSQLPool
  private let schema: String

  init(of backend: PostgreSQLGroupBackend) async throws {
    schema = StoreSchema(backend.options.schema).name
    pool = try PostgreSQLPool(.init(target: backend.options.target))
    _ = try await backend.identity()
    try await run(
      """
      CREATE TABLE \(schema).test_clock AS SELECT now() AS time;
      CREATE OR REPLACE FUNCTION \(schema).clock() RETURNS timestamptz LANGUAGE sql AS
        'SELECT time FROM \(schema).test_clock';
      """)
  }

  func advance(by duration: Duration) async throws {
    try await run(
      "UPDATE \(schema).test_clock SET time = time + interval '\(duration.components.seconds) seconds 1 microsecond'")
  }

  private func run(_ script: String) async throws {
    try await pool.withConnection(within: .seconds(20)) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: script, within: .seconds(20))
    }
  }
}
