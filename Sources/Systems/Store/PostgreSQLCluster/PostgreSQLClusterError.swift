import Files
import PostgreSQL

/// Why a private server could not be made, started or asked.
package struct PostgreSQLClusterError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// The programs of the server are not installed, or not in the version that made the data.
    case programsMissing
    /// Another process uses the folder.
    case inUse
    /// The server's user cannot get to the folder, or it cannot be made.
    case folder
    /// The server did not start; its own words are in the message and in its log.
    case startFailed
    /// The time that the call was given has passed.
    case timedOut
    /// The task that waited was cancelled, or the server was stopped meanwhile.
    case cancelled
    /// The server runs, and refused something.
    case refused
  }

  package let kind: Kind
  /// What happened, in one sentence or two.
  package let message: String
  /// What the reader can do about it, in one sentence.
  package let recovery: String

  init(_ kind: Kind, _ message: String, recovery: String) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
  }

  init(_ error: FileError) {
    self.init(.folder, error.message, recovery: error.recovery ?? "Look at the folder and its permissions.")
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

  package var description: String { "\(message) \(recovery)" }
}
