package import Files
package import PostgreSQL

/// Why a plan was not applied. The database is as it was, apart from new values of enumerations.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Something would be lost, and nobody allowed that: a sentence for each step.
  case loss([String])
  /// The rows that are there do not fit: each with advice.
  case obstacles([String])
  /// What is lost could not be kept in a file.
  case dump(FileError)
  case database(PostgreSQLError)

  package var message: String {
    switch self {
    case .loss(let losses): "The change of the database would lose data. \(losses.joined(separator: " "))"
    case .obstacles(let obstacles): "The database cannot be changed. \(obstacles.joined(separator: " "))"
    case .dump(let error): "What the change of the database takes away cannot be kept: \(error.message)"
    case .database(let error): error.message + (error.detail.map { " \($0)." } ?? "")
    }
  }

  package var recovery: String {
    switch self {
    case .loss: "Allow the loss, or put back into the schema what is gone from it."
    case .obstacles: "Follow the advice, and try again."
    case .dump(let error): error.recovery ?? "Choose another folder for it."
    case .database(let error):
      error.sqlState == "55P03" ? "Something else uses the tables: try again." : error.recovery
    }
  }

  package var description: String { "\(message) \(recovery)" }
}
