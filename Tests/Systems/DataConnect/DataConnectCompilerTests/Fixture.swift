import DataConnectCompiler
import Files
import GraphQL
import Testing

/// Compiles texts.
enum Fixture {
  static let films = """
    enum Mood { DULL BRIGHT }
    type Film @table {
      title: String! @searchable
      mood: Mood! @default(value: DULL)
      minutes: Int
      released: Date
      tags: [String!]
      sequel: Film
    }
    type Visitor @table(key: "uid") { uid: String! @default(expr: "auth.uid") name: String! }
    type Rating @table(key: ["film", "visitor"]) { film: Film! visitor: Visitor! stars: Int! text: String }
    type Poster @table { film: Film! @unique seen: Timestamp! @default(expr: "request.time") print: Vector @col(size: 3) }
    type FilmNumbers @view(sql: "SELECT film_id, avg(stars) AS stars FROM rating GROUP BY film_id") {
      film: Film @unique
      stars: Float
    }
    """

  static func compile(_ text: String) -> SchemaCompiler.Result {
    SchemaCompiler.compile([GraphQLSource(text, name: "schema.gql")])
  }

  /// A schema without problems.
  static func schema(_ text: String = films, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws
    -> CompiledSchema
  {
    let result = compile(text)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(result.schema, sourceLocation: sourceLocation)
  }

  /// The problems of a schema, each as one line.
  static func problems(_ text: String) -> [String] { compile(text).problems.map(\.description) }

  static func compile(operations text: String, schema: String = films) throws -> ConnectorCompiler.Result {
    ConnectorCompiler.compile([GraphQLSource(text, name: "films.gql")], against: try self.schema(schema))
  }

  /// A connector without problems.
  static func connector(
    _ text: String, schema: String = films, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> CompiledConnector {
    let result = try compile(operations: text, schema: schema)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(result.connector, sourceLocation: sourceLocation)
  }

  /// The problems of operations, each as one line.
  static func problems(operations text: String) throws -> [String] {
    try compile(operations: text).problems.map(\.description)
  }

  /// A file beside the tests.
  static func golden(_ name: String) throws -> String {
    let path = "\(Folder.parent(of: #filePath))/Goldens/\(name)"
    return String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self)
  }
}

extension CompiledSchema {
  /// The names of the fields of a type.
  func fields(_ type: String) -> [String] { graphQL.type(type)?.fields.map(\.name.text) ?? [] }

  /// The fields of an input with their types.
  func inputs(_ type: String) -> [String] {
    (graphQL.type(type)?.inputs ?? []).map { "\($0.name.text): \(GraphQLPrinter.text(of: $0.type))" }
  }

  /// A field of a type with the names of its arguments and its type.
  func field(_ name: String, of type: String) -> String? {
    guard let field = graphQL.type(type)?.field(name) else { return nil }
    let arguments = field.arguments.map(\.name.text)
    return (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", "))) ") + GraphQLPrinter.text(of: field.type)
  }
}
