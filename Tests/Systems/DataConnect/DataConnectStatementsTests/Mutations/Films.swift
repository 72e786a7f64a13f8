import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSON
import PostgreSQL
import Testing

/// A schema that has everything that can be written.
enum Films {
  static let schema = """
    enum Genre { DRAMA COMEDY WESTERN }
    type Movie @table {
      title: String!
      year: Int
      views: Int64 @default(value: 0)
      rating: Float
      genre: Genre @default(value: DRAMA)
      tags: [String!]
      moods: [Genre!]
      released: Date
      createdAt: Timestamp! @default(expr: "request.time")
      updatedAt: Timestamp
      slug: String @unique
      code: String @col(dataType: "varchar(4)")
      meta: Any
      owner: User
    }
    type MovieMetadata @table { movie: Movie! @unique text: String }
    type User @table(key: ["uid"]) { uid: String! @default(expr: "auth.uid") name: String }
    type Review @table(key: ["movie", "user"]) {
      movie: Movie!
      user: User!
      stars: Int @default(value: 3)
      note: String
    }
    type Album @table { id: Int! @col(dataType: "serial") name: String at: Timestamp! @default(sql: "now()") }
    type Song @table { album: Album! title: String! }
    """

  static func database(_ data: String = "") async throws -> QueriedDatabase {
    try await QueriedDatabase(schema, data: data)
  }
}

extension QueriedDatabase {
  static let now: JSONValue = "2026-03-31T10:20:30.123456Z"

  /// - Parameter seed: from which its UUIDs are made.
  private static func context(
    _ schema: CompiledSchema, _ variables: JSONObject, _ limits: StatementLimits, seed: UInt32
  ) -> StatementContext {
    var count: UInt32 = 0
    return StatementContext(schema: schema, variables: variables, limits: limits) { text throws(StatementError) in
      switch text {
      case "uuidV4()":
        count += 1
        return .string([0, seed, 0, count].map { String(0x1_0000_0000 + UInt64($0), radix: 16).dropFirst() }.joined())
      case "request.time": return now
      case "auth.uid": return "u1"
      case "null": return .null
      default: throw StatementError("no value for \(text)")
      }
    }
  }

  /// The statement of the first field of a mutation.
  static func mutation(
    _ text: String, _ schema: CompiledSchema, _ variables: JSONObject = [:],
    limits: StatementLimits = StatementLimits(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> RootStatement {
    let operation =
      text.hasPrefix("{")
      ? "mutation M @auth(level: PUBLIC) \(text)"
      : "mutation M\(text.replacing(") {", with: ") @auth(level: PUBLIC) {", maxReplacements: 1))"
    let result = ConnectorCompiler.compile([GraphQLSource(operation, name: "m.gql")], against: schema)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    let compiled = try #require(result.connector?.operation("M"), sourceLocation: sourceLocation)
    try compiled.checkAllowed(variables)
    let seed = UInt32.random(in: .min ... .max)
    return try made(compiled.fields[0], isMutation: true, variables, sourceLocation: sourceLocation) { variables in
      context(schema, variables, limits, seed: seed)
    }
  }

  /// The value of the first field of a mutation, as compact JSON; `null` for none.
  @discardableResult
  func change(
    _ text: String, _ variables: JSONObject = [:], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> String {
    let statement = try Self.mutation(text, schema, variables, sourceLocation: sourceLocation)
    if statement.answer == .count {
      return "\(try await connection.change(statement.text, statement.parameters, within: Self.limit))"
    }
    let rows = try await connection.query(statement.text, statement.parameters, within: Self.limit)
    #expect(rows.count <= 1, sourceLocation: sourceLocation)
    guard let row = rows.first, !row.isNull(at: 0) else { return "null" }
    return try JSONCoding.parse(row.text(at: 0)).description
  }

  /// What the server refuses a mutation with.
  func state(_ text: String, _ variables: JSONObject = [:]) async throws -> String? {
    do {
      try await change(text, variables)
      return nil
    } catch let error as PostgreSQLError { return error.sqlState }
  }

  /// Why there is no statement of a mutation.
  static func refusal(
    ofMutation text: String, _ schema: CompiledSchema, _ variables: JSONObject = [:],
    limits: StatementLimits = StatementLimits(), sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> String? {
    do {
      _ = try mutation(text, schema, variables, limits: limits, sourceLocation: sourceLocation)
      return nil
    } catch let error as StatementError {
      return (error.path.isEmpty ? "" : "\(error.path.joined(separator: ".")): ") + error.message
    }
  }

  /// What SQL finds: a row a line.
  func rows(_ sql: String) async throws -> [String] {
    try await connection.query("SELECT (\(sql))::text", within: Self.limit).map { $0.text(at: 0) }
  }

  /// Values of columns of the only row, or of all rows.
  func columns(_ columns: String, of table: String, order: String = "1") async throws -> [String] {
    try await connection.query(
      "SELECT concat_ws('|', \(columns.split(separator: ",").map { "coalesce((\($0))::text, '-')" }.joined(separator: ","))) FROM \(table) ORDER BY \(order)",
      within: Self.limit
    ).map { $0.text(at: 0) }
  }
}
