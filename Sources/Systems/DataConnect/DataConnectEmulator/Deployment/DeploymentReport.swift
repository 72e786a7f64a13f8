package import DataConnectCompiler
package import DataConnectMigration

/// What became of an attempt to serve what the files of a project say.
package struct DeploymentReport: Sendable {
  /// Whether it is served now. Otherwise what was served before still is.
  package var isDeployed = false
  /// Whether it has been served already: no file says anything else.
  package var isUnchanged = false
  /// Everything that is wrong with the files, or may be.
  package var problems: [CompilerProblem] = []
  /// What clients do not survive that know what was served before.
  package var breaking: [BreakingChange] = []
  /// What was changed in the database.
  package var applied: [MigrationPlan.Step] = []
  /// What was not, since something would be lost.
  package var refused: [MigrationPlan.Step] = []
  /// The files with what was removed from the database.
  package var dumps: [String] = []
  /// What is worth knowing of the database.
  package var notices: [String] = []
  /// Why the database was of no use, as one sentence.
  package var failure: String?
  /// Whether the database could not be reached; it is tried again.
  package var isDatabaseMissing = false

  package init() {}
}
