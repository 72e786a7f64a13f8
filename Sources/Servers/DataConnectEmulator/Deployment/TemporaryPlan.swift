import DataConnectCompiler
import DataConnectMigration
import PostgreSQL

extension DatabaseMigration {
  static func plan(
    _ schema: CompiledSchema, namespace: String, on connection: PostgreSQLConnection
  ) async throws(PostgreSQLError) -> MigrationPlan {
    let rows = try await connection.query(
      "SELECT 1 FROM information_schema.tables WHERE table_schema = $1", [.text(namespace)], within: .seconds(5))
    return MigrationPlan(
      steps: rows.isEmpty ? [MigrationPlan.Step(sql: creation(of: schema, namespace: namespace))] : [])
  }
}
package struct MigrationPlan: Sendable, Equatable {
  package struct Step: Sendable, Equatable {
    package let sql: String
    package let loss: String?
    package init(sql: String, loss: String? = nil) {
      self.sql = sql
      self.loss = loss
    }
  }
  package let steps: [Step]
  package init(steps: [Step]) { self.steps = steps }
}
