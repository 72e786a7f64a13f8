import DataConnectCompiler
import DataConnectMigration
import DataConnectStatements
import EventLoop
import GraphQL
import JSON
import PostgreSQL
import TestPrograms
import Testing

/// A database of one test, made of a schema, on the server that all share.
struct QueriedDatabase {
  static let limit = Duration.seconds(30)
  let schema: CompiledSchema
  let namespace: String
  let connection: PostgreSQLConnection
  private let loop: LoopOwner

  private final class LoopOwner: Sendable {
    let loop = EventLoop.onThread(name: "test-statements")
    deinit { loop.stop() }
  }

  /// - Parameter data: SQL that puts rows into it.
  init(_ text: String, data: String, namespace: String = "public") async throws {
    self.namespace = namespace
    schema = try Self.schema(text)
    let server = try TestPostgreSQLServer.shared.get()
    let name = "statements_\(UInt64.random(in: .min ... .max))"
    loop = LoopOwner()
    let main = try await PostgreSQLConnection.connect(
      to: PostgreSQLTarget(server.url()), on: loop.loop, within: Self.limit)
    try await main.run(script: "CREATE DATABASE \(name)", within: Self.limit)
    connection = try await PostgreSQLConnection.connect(
      to: PostgreSQLTarget(server.url(name)), on: loop.loop, within: Self.limit)
    // What a session is set to changes nothing.
    let settings = "SET TimeZone = 'Asia/Tokyo'; SET DateStyle = 'German'; SET IntervalStyle = 'sql_standard';"
    try await connection.run(
      script: DatabaseMigration.creation(of: schema, namespace: namespace) + data + ";" + settings, within: Self.limit)
  }

  static func schema(_ text: String) throws -> CompiledSchema {
    let result = SchemaCompiler.compile([GraphQLSource(text, name: "schema.gql")])
    #expect(result.problems.map(\.description) == [])
    return try #require(result.schema)
  }

  /// The value of the first field of a query, as compact JSON; `null` for none.
  func answer(
    _ query: String, _ variables: JSONObject = [:], expressions: [String: JSONValue] = [:],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> String {
    let statement = try Self.statement(
      query, schema, variables, namespace: namespace, expressions: expressions, sourceLocation: sourceLocation)
    let rows = try await connection.query(statement.text, statement.parameters, within: Self.limit)
    #expect(rows.count <= 1, sourceLocation: sourceLocation)
    guard let row = rows.first, !row.isNull(at: 0) else { return "null" }
    #expect(row.count == 1, sourceLocation: sourceLocation)
    return try JSONCoding.parse(row.text(at: 0)).description
  }

  /// The steps of a statement, as the server would take them.
  func plan(_ query: String, _ variables: JSONObject = [:]) async throws -> String {
    let statement = try Self.statement(query, schema, variables)
    let rows = try await connection.query("EXPLAIN \(statement.text)", statement.parameters, within: Self.limit)
    return rows.map { $0.text(at: 0) }.joined(separator: "\n")
  }

  static func statement(
    _ query: String, _ schema: CompiledSchema, _ variables: JSONObject = [:], namespace: String = "public",
    expressions: [String: JSONValue] = [:], limits: StatementLimits = StatementLimits(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> RootStatement {
    let result = ConnectorCompiler.compile(
      [GraphQLSource("query Q\(used(query).replacing("@auth", with: "@auth(level: PUBLIC)"))", name: "q.gql")],
      against: schema)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    let field = try #require(result.connector?.operation("Q")?.fields.first, sourceLocation: sourceLocation)
    return try made(field, isMutation: false, variables, sourceLocation: sourceLocation) { variables in
      StatementContext(schema: schema, namespace: namespace, variables: variables, limits: limits) {
        text throws(StatementError) in
        guard let value = expressions[text] else { throw StatementError("no value for \(text)") }
        return value
      }
    }
  }

  /// A query without the variables that it declares and does not use.
  private static func used(_ query: String) -> String {
    guard query.hasPrefix("("), let end = query.firstIndex(of: ")") else { return query }
    let rest = query[end...].dropFirst()
    let declared = query[..<end].dropFirst().split(separator: ", ").filter { rest.contains($0.prefix { $0 != ":" }) }
    return declared.isEmpty ? String(rest) : "(\(declared.joined(separator: ", ")))\(rest)"
  }

  /// Why there is no statement of a query.
  static func refusal(
    _ query: String, _ schema: CompiledSchema, _ variables: JSONObject = [:],
    limits: StatementLimits = StatementLimits(), sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> String? {
    do throws(StatementError) {
      _ = try Result { try statement(query, schema, variables, limits: limits, sourceLocation: sourceLocation) }
        .mapError { $0 as? StatementError ?? StatementError("\($0)") }.get()
      return nil
    } catch { return (error.path.isEmpty ? "" : "\(error.path.joined(separator: ".")): ") + error.message }
  }
}
