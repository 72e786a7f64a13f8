import GraphQL
import JSON
import PostgreSQL
import Testing
import Time

@testable import DataConnectCompiler
@testable import DataConnectEmulator

/// A schema with the operations of one connector, compiled and without a database.
struct PlainProject: Sendable {
  let schema: CompiledSchema
  let connector: CompiledConnector
  let expressions: ExpressionTable

  init(_ operations: String, schema text: String = Movies.schema) throws {
    schema = try #require(SchemaCompiler.compile([GraphQLSource(text, name: "schema.gql")]).schema)
    let result = ConnectorCompiler.compile([GraphQLSource(operations, name: "operations.gql")], against: schema)
    connector = try #require(result.connector, "\(result.problems.map(\.description))")
    var expressions = ExpressionTable()
    expressions.add(schema)
    expressions.add(connector)
    self.expressions = expressions
  }

  func operation(_ name: String) throws -> DeployedOperation {
    DeployedOperation(try #require(connector.operation(name)), connector, expressions)
  }

  /// The plan of a field of an operation, by its name in the response.
  func plan(_ operation: String, _ field: String) throws -> FieldPlan {
    try #require(try self.operation(operation).fields.first { $0.name == field })
  }

  /// What would be served of it, with a database that is not there.
  ///
  /// - Parameter database: which one its service names.
  func deployment(number: UInt64 = 1, database: DatabaseConfiguration? = nil) throws -> Deployment {
    let service = ServiceConfiguration(
      serviceID: "films", location: "us-east4", specVersion: nil, schemaSource: "./schema", database: database,
      connectorDirectories: [])
    return Deployment(
      service: service, schema: schema, connectors: [DeployedConnector(id: "movies", connector, expressions)],
      expressions: expressions, pool: try PostgreSQLPool(PostgreSQLPool.Options(target: try Self.nowhere)),
      number: number)
  }

  /// A database that cannot be reached: no folder has its socket.
  static var nowhere: PostgreSQLTarget {
    get throws { try PostgreSQLTarget("postgresql:///none?host=/nonexistent-folder-of-the-tests") }
  }

  static func user(_ name: String, _ claims: JSONObject = [:]) throws -> OperationCaller {
    var claims = claims
    claims["sub"] = .string(name)
    return .user(try #require(Claims(claims)))
  }

  func scope(_ caller: OperationCaller = .nobody, _ variables: JSONObject = [:]) -> ExpressionScope {
    ExpressionScope(
      caller, variables: variables, operation: "O", time: UnixTime(seconds: 1_000, nanoseconds: 0), expressions,
      cost: 10_000)
  }
}
