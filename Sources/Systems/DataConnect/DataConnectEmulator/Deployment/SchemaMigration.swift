import DataConnectCompiler
import DataConnectMigration
import PostgreSQL

/// Brings the database to what a schema says, as far as nothing is lost.
struct SchemaMigration: Sendable {
  struct Outcome: Sendable {
    var applied: [MigrationPlan.Step] = []
    /// The files with what was removed.
    var dumps: [String] = []
    /// The steps that would lose data and were therefore not applied.
    var refused: [MigrationPlan.Step] = []
    var notices: [String] = []
    /// The reason the migration failed, in sentences; `nil` when it did not.
    var failure: String?
    /// Whether the database is what the schema says.
    var isComplete: Bool { refused.isEmpty && failure == nil }
  }

  private static let limit = Duration.seconds(120)
  let schema: CompiledSchema
  let database: DatabaseConfiguration?
  /// Whether rows and columns may go.
  let allowsLoss: Bool
  /// The folder for copies of the rows that a migration removes.
  let dumpFolder: String

  /// Applies everything, or nothing.
  ///
  /// - Throws: when the database cannot be reached.
  func run(on pool: PostgreSQLPool) async throws(PostgreSQLError) -> Outcome {
    try await pool.withConnection(within: Self.limit) { (connection) async throws(PostgreSQLError) in
      var outcome = Outcome()
      let plan: MigrationPlan
      do throws(PostgreSQLError) {
        plan = try await DatabaseMigration.plan(
          schema, namespace: database?.schema ?? "public", on: connection,
          ignoringUnknown: database?.validation == .compatible, within: Self.limit)
      } catch {
        guard error.kind == .refused else { throw error }
        outcome.failure = "The database does not take the schema: \(error.message)"
        return outcome
      }
      outcome.notices = plan.notices
      if !allowsLoss { outcome.refused = plan.steps.filter { $0.loss != nil } }
      if !outcome.refused.isEmpty { return outcome }
      do throws(MigrationError) {
        let report = try await DatabaseMigration.apply(
          plan, on: connection, allowingLoss: allowsLoss, dumpFolder: dumpFolder, within: Self.limit)
        (outcome.applied, outcome.dumps) = (report.steps, report.dumps)
      } catch {
        outcome.failure = error.description
      }
      return outcome
    }
  }
}
