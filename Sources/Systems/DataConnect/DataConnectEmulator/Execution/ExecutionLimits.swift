package import DataConnectStatements

/// What an operation may take at most.
package struct ExecutionLimits: Sendable {
  /// From its begin to its end.
  package var time = Duration.seconds(30)
  /// How long it waits for a connection to the database.
  package var connecting = Duration.seconds(10)
  /// Bytes of all values that the database answers.
  package var bytes = 32 << 20
  package var statement = StatementLimits()
  /// Steps of one expression.
  package var cost = 100_000
  /// Values that variables may be made of.
  package var variables = 100_000
  package init() {}
}
