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
    /// Whether the database serves the schema: it may have more than the schema says.
    var isServable = false
  }

  private static let limit = Duration.seconds(120)
  let schema: CompiledSchema
  let database: DatabaseConfiguration?
  /// What may be lost.
  let consent: MigrationConsent
  /// The folder for copies of the rows that a migration removes.
  let dumpFolder: String

  /// Applies everything but what would lose data without consent. What is left alone then is named. When the schema cannot
  /// be served without it, only what adds something is applied.
  ///
  /// - Throws: when the database cannot be reached.
  func run(on pool: PostgreSQLPool) async throws(PostgreSQLError) -> Outcome {
    try await pool.withConnection(within: Self.limit) { (connection) async throws(PostgreSQLError) in
      var outcome = Outcome()
      let plan: MigrationPlan
      do throws(PostgreSQLError) {
        plan = try await DatabaseMigration.plan(
          schema, namespace: database?.schema ?? "public", on: connection,
          ignoringUnknown: database?.validation == .compatible, consent: consent, within: Self.limit)
      } catch {
        guard error.kind == .refused else { throw error }
        outcome.failure = "The database does not take the schema: \(error.message)"
        return outcome
      }
      outcome.notices = plan.notices
      outcome.refused = plan.refused
      let isWhole = plan.isServable && plan.obstacles.isEmpty
      if !plan.obstacles.isEmpty { outcome.failure = MigrationError.obstacles(plan.obstacles).description }
      do throws(MigrationError) {
        let report = try await DatabaseMigration.apply(
          isWhole ? plan : plan.additive, on: connection, allowingLoss: true, dumpFolder: dumpFolder, within: Self.limit
        )
        (outcome.applied, outcome.dumps, outcome.isServable) = (report.steps, report.dumps, isWhole)
      } catch {
        outcome.failure = error.description
      }
      return outcome
    }
  }
}
