import DataConnectCompiler
import DataConnectMigration
import PostgreSQL

/// Brings the database to what a schema says, as far as nothing is lost.
struct SchemaMigration: Sendable {
  struct Outcome: Sendable {
    var applied: [MigrationPlan.Step] = []
    var refused: [MigrationPlan.Step] = []
    /// Why it did not come about, as one sentence.
    var failure: String?
    /// Whether the database is what the schema says.
    var isComplete: Bool { refused.isEmpty && failure == nil }
  }

  private static let limit = Duration.seconds(60)
  let schema: CompiledSchema
  let namespace: String
  /// Whether rows and columns may go.
  let allowsLoss: Bool
  /// Where what goes is written before.
  let dumpFolder: String?

  /// Applies everything, or nothing.
  ///
  /// - Throws: when the database cannot be reached.
  func run(on pool: PostgreSQLPool) async throws(PostgreSQLError) -> Outcome {
    try await pool.withConnection(within: Self.limit) { (connection) async throws(PostgreSQLError) in
      var outcome = Outcome()
      let plan = try await DatabaseMigration.plan(schema, namespace: namespace, on: connection)
      if !allowsLoss {
        outcome.refused = plan.steps.filter { $0.loss != nil }
        if !outcome.refused.isEmpty { return outcome }
      }
      if plan.steps.isEmpty { return outcome }
      do throws(PostgreSQLError) {
        try await connection.run(script: plan.steps.map { $0.sql + ";\n" }.joined(), within: Self.limit)
        outcome.applied = plan.steps
      } catch {
        guard error.kind == .refused else { throw error }
        outcome.failure = "The database does not take the schema: \(error.message)"
      }
      return outcome
    }
  }
}
