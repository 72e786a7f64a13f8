import DataConnectCompiler
import PostgreSQL

/// What is served at one time: a schema, its connectors, and the database that holds the rows. It does not change; another
/// one takes its place.
final class Deployment: Sendable {
  let service: ServiceConfiguration
  let schema: CompiledSchema
  /// The schema of the database that the tables are in.
  let namespace: String
  let connectors: [String: DeployedConnector]
  let expressions: ExpressionTable
  let pool: PostgreSQLPool
  /// Counts deployments.
  let number: UInt64

  init(
    service: ServiceConfiguration, schema: CompiledSchema, connectors: [DeployedConnector],
    expressions: ExpressionTable, pool: PostgreSQLPool, number: UInt64
  ) {
    self.service = service
    self.schema = schema
    self.connectors = Dictionary(connectors.map { ($0.id, $0) }) { first, _ in first }
    self.expressions = expressions
    self.pool = pool
    self.number = number
    namespace = service.database?.schema ?? "public"
  }
}
