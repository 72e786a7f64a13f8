package import Files
package import PostgreSQL

/// The reason a plan was not applied. The database is unchanged, apart from values added to enumerations.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The plan would lose data, and loss was not allowed. One sentence for each step that loses data.
  case loss([String])
  /// Existing rows do not fit the new schema. One sentence with advice for each obstacle.
  case obstacles([String])
  /// The rows to be removed could not be saved to a file.
  case dump(FileError)
  /// PostgreSQL refused a statement, or the connection failed.
  case database(PostgreSQLError)

  /// What failed, in one or more sentences.
  package var message: String {
    switch self {
    case .loss(let losses): "The change of the database would lose data. \(losses.joined(separator: " "))"
    case .obstacles(let obstacles): "The database cannot be changed. \(obstacles.joined(separator: " "))"
    case .dump(let error): "What the change of the database takes away cannot be kept: \(error.message)"
    case .database(let error): error.message + (error.detail.map { " \($0)." } ?? "")
    }
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch self {
    case .loss: "Allow the loss, or put back into the schema what is gone from it."
    case .obstacles: "Follow the advice, and try again."
    case .dump(let error): error.recovery ?? "Choose another folder for it."
    case .database(let error):
      error.sqlState == "55P03" ? "Something else uses the tables: try again." : error.recovery
    }
  }

  /// The message, followed by the recovery.
  package var description: String { "\(message) \(recovery)" }
}
