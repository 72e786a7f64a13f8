import Files
import PostgreSQL

/// The reason a private server could not be created, started or used.
package struct PostgreSQLClusterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: Sendable, Equatable {
    /// PostgreSQL's programs are not installed, or not in the version that created the data.
    case programsMissing
    /// Another process uses the folder.
    case inUse
    /// The folder cannot be created, or the server's user cannot reach it.
    case folder
    /// The server did not start. Its own message is in the error and in its log.
    case startFailed
    /// The time limit of the call has passed.
    case timedOut
    /// The waiting task was cancelled, or the server was stopped.
    case cancelled
    /// The running server refused a statement.
    case refused
  }

  /// The sort of failure.
  package let kind: Kind
  /// What failed, in one or two sentences.
  package let message: String
  /// What the reader can do about it, in one sentence.
  package let recovery: String

  init(_ kind: Kind, _ message: String, recovery: String) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
  }

  init(_ error: FileError) {
    self.init(
      .folder, error.message,
      recovery: error.recovery
        ?? "The folder must belong to this user and be writable: \"ls -ld\" shows its owner and permissions.")
  }

  init(_ error: PostgreSQLError) {
    let kind: Kind =
      switch error.kind {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      default: .refused
      }
    self.init(kind, error.message, recovery: error.recovery)
  }

  static let cancelled = PostgreSQLClusterError(
    .cancelled, "The start of the database was given up.", recovery: "Try again.")

  /// The message, followed by the recovery.
  package var description: String { "\(message) \(recovery)" }
}
