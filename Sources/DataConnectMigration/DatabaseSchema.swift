package import DataConnectCompiler
package import PostgreSQL

/// Changes a database into what a schema says.
package enum DatabaseMigration {
  /// Everything that an empty database needs, as one script.
  package static func creation(of schema: CompiledSchema, namespace: String) -> String { "" }

  /// What a database lacks, and what it has too much.
  package static func plan(
    _ schema: CompiledSchema, namespace: String, on connection: PostgreSQLConnection
  ) async throws(PostgreSQLError) -> MigrationPlan { MigrationPlan(steps: []) }
}

/// Statements in order.
package struct MigrationPlan: Sendable, Equatable {
  package struct Step: Sendable, Equatable {
    package let sql: String
    /// What is lost by it, as a sentence; `nil` for a compatible step.
    package let loss: String?
    package init(sql: String, loss: String? = nil) {
      self.sql = sql
      self.loss = loss
    }
  }
  package let steps: [Step]
  package init(steps: [Step]) { self.steps = steps }
}
