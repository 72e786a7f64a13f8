/// What was done to a database.
package struct MigrationReport: Sendable, Equatable {
  /// In order.
  package let steps: [MigrationPlan.Step]
  /// The files with the rows that went or changed.
  package let dumps: [String]
}
