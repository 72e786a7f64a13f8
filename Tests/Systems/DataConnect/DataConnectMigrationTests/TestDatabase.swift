import DataConnectCompiler
import DataConnectMigration
import EventLoop
import GraphQL
import PostgreSQL
import TestPrograms
import Testing

/// A database of one test on the server that all share.
struct TestDatabase {
  static let limit = Duration.seconds(30)
  let connection: PostgreSQLConnection
  private let loop: LoopOwner

  private final class LoopOwner: Sendable {
    let loop = EventLoop.onThread(name: "test-migration")
    deinit { loop.stop() }
  }

  init() async throws {
    let server = try TestPostgreSQLServer.shared.get()
    let name = "migration_\(UInt64.random(in: .min ... .max))"
    loop = LoopOwner()
    let main = try await PostgreSQLConnection.connect(
      to: PostgreSQLTarget(server.url()), on: loop.loop, within: Self.limit)
    try await main.run(script: "CREATE DATABASE \(name)", within: Self.limit)
    connection = try await PostgreSQLConnection.connect(
      to: PostgreSQLTarget(server.url(name)), on: loop.loop, within: Self.limit)
  }

  func run(_ script: String) async throws { try await connection.run(script: script, within: Self.limit) }

  /// The rows of a query, the values of each with commas between them.
  func rows(_ sql: String) async throws -> [String] {
    let row =
      "(SELECT string_agg(coalesce(v, 'NULL'), ',' ORDER BY n) FROM json_each_text(row_to_json(x)) WITH ORDINALITY j(k, v, n))"
    return try await connection.query("SELECT \(row) FROM (\(sql)) x", within: Self.limit).map { $0.text(at: 0) }
  }

  /// The five characters that a script is refused with.
  func refusal(_ script: String) async throws -> String? {
    do throws(PostgreSQLError) {
      try await connection.run(script: script, within: Self.limit)
      return nil
    } catch { return error.sqlState ?? error.message }
  }

  static func schema(_ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws -> CompiledSchema
  {
    let result = SchemaCompiler.compile([GraphQLSource(text, name: "schema.gql")])
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(result.schema, sourceLocation: sourceLocation)
  }
}
