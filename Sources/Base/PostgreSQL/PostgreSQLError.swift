/// What a PostgreSQL server, the way to it, or a check of this library refused to do. Never holds a password or a value.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// The connection string cannot be read.
    case invalidTarget
    /// No server was reached that takes what was asked for: down, starting, full, or a standby.
    case cannotConnect
    /// The server does not accept the user or the password, or the database is not there.
    case notAdmitted
    /// The role of the connection may do more on the server's machine than its caller may, and no other is admitted.
    case tooPowerful
    /// The connection ended while it was used.
    case connectionLost
    /// The time that the call was given has passed.
    case timedOut
    /// The task that waited was cancelled.
    case cancelled
    /// The answer is larger than the caller takes.
    case tooLarge
    /// The server refused the statement; ``sqlState`` says why.
    case refused
    /// The server committed, and did not wait until its synchronous standby had that: a fail-over may undo it.
    case notReplicated
    /// Wrong use of this library.
    case misuse
  }

  /// The sort of failure.
  package let kind: Kind
  /// The five characters of the server's error, where it sent one.
  package let sqlState: String?
  /// One sentence: what happened.
  package let message: String
  /// What the server added.
  package let detail: String?
  /// Whether the statement may have been carried out all the same.
  package var isOutcomeUnknown: Bool

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: one sentence without a password or a value.
  ///   - sqlState: PostgreSQL's code of five characters.
  ///   - detail: the server's additional sentence.
  ///   - isOutcomeUnknown: whether the statement may have been executed.
  package init(
    _ kind: Kind, _ message: String, sqlState: String? = nil, detail: String? = nil, isOutcomeUnknown: Bool = false
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.isOutcomeUnknown = isOutcomeUnknown
  }

  /// Whether the same may succeed on a new connection, or when it is tried again.
  package var isRetryable: Bool {
    switch kind {
    case .cannotConnect, .connectionLost, .notReplicated: true
    case .refused: sqlState.map(Self.isPassing) ?? false
    case .invalidTarget, .notAdmitted, .tooPowerful, .timedOut, .cancelled, .tooLarge, .misuse: false
    }
  }

  /// Serialisation failures and deadlocks; a server that ends, starts, or was made a standby.
  ///
  /// Source: https://www.postgresql.org/docs/15/errcodes-appendix.html.
  private static func isPassing(_ state: String) -> Bool {
    ["40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300", "55P03"].contains(state) || state.hasPrefix("08")
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .invalidTarget: "Write it as postgresql://user@host/database."
    case .cannotConnect: "Check that the server runs and can be reached, and that one of the servers takes writes."
    case .notAdmitted:
      "Check user, password and database. A password comes from ~/.pgpass, PGPASSFILE or PGPASSWORD."
    case .tooPowerful:
      "Make a role that owns the tables and has no such right (CREATE ROLE app LOGIN), and name it: postgresql://app@host/database."
    case .connectionLost, .cancelled: "Try again."
    case .timedOut: "Try again, or allow more time."
    case .tooLarge: "Ask for less."
    case .notReplicated: "Check that the synchronous standby runs and receives, and try again."
    case .refused:
      sqlState == "42501"
        ? "Have the database's owner grant this user what is missing." : "Look into the log of the server."
    case .misuse: "This is a mistake in the program; report it with this message."
    }
  }

  static let unreplicated = PostgreSQLError(
    .notReplicated, "The server did not wait until its standby had what was committed.", isOutcomeUnknown: true)

  /// The message, the sort of failure and PostgreSQL's code.
  package var description: String {
    "\(message) (\(kind.rawValue)\(sqlState.map { ", PostgreSQL \($0)" } ?? ""))"
  }
}
