import PostgreSQL
import Text

extension OperationError {
  /// Creates an error from that of the database, in words that contain no value of a row.
  ///
  /// Source of the states: https://www.postgresql.org/docs/15/errcodes-appendix.html.
  init(_ error: PostgreSQLError, isAdministrator: Bool) {
    let (code, message) = Self.words(error)
    self.init(
      code, message + (error.isOutcomeUnknown ? " It may have been carried out all the same." : ""),
      details: isAdministrator ? error.message + (error.detail.map { " \($0)." } ?? "") : nil)
    isConnectionLost =
      [.connectionLost, .timedOut, .cancelled, .tooLarge, .cannotConnect].contains(error.kind)
      || error.sqlState?.hasPrefix("57P") == true || error.sqlState?.hasPrefix("08") == true
    isUnsent = [.connectionLost, .cannotConnect].contains(error.kind) && !error.isOutcomeUnknown
  }

  private static func words(_ error: PostgreSQLError) -> (FailureCode, String) {
    switch error.kind {
    case .timedOut: return (.deadlineExceeded, "The database did not answer in time.")
    case .cancelled: return (.cancelled, "The request was cancelled.")
    case .tooLarge: return (.resourceExhausted, "The result is too large.")
    case .connectionLost, .cannotConnect, .notAdmitted, .tooPowerful, .invalidTarget:
      return (.unavailable, "The connection to the database was lost.")
    case .notReplicated: return (.unavailable, "The database's standby may not have what was committed.")
    case .misuse: return (.internalFailure, "The database was not asked as it should be.")
    case .refused: break
    }
    let state = error.sqlState ?? ""
    let constraint = error.constraint.map { " (\($0))" } ?? ""
    switch state {
    case "23505": return (.alreadyExists, "There is a row with the same key or unique value already\(constraint).")
    case "23503":
      return (.failedPrecondition, "A row that this one leads to, or is led to by, is missing\(constraint).")
    case "23502": return (.invalidArgument, "A column that cannot be null has no value.")
    case "23514": return (.failedPrecondition, "A value violates a rule of the table\(constraint).")
    case "22001": return (.invalidArgument, "A text is too long for its column.")
    case "22003", "22008": return (.invalidArgument, "A number or time is out of range.")
    case "22012": return (.invalidArgument, "Something was divided by zero.")
    case "40001", "40P01", "55P03": return (.aborted, "Another operation was in the way. Try again.")
    case "57014": return (.deadlineExceeded, "The database took too long.")
    case "25006": return (.permissionDenied, "Nothing may be written here.")
    case "42501": return (.permissionDenied, "The database's user may not do this.")
    case "42P01", "42703", "42704", "42883":
      return (.failedPrecondition, "The database lacks a table, column, type or function of the schema.")
    case "53100": return (.resourceExhausted, "The database's disk is full.")
    case "57P01", "57P02", "57P03": return (.unavailable, "The database is being stopped or started.")
    default: break
    }
    switch state.prefix(2) {
    case "0A": return (.invalidArgument, "The database cannot do this (SQLSTATE \(state)).")
    case "22", "21": return (.invalidArgument, "A value does not fit (SQLSTATE \(state)).")
    case "23": return (.failedPrecondition, "A rule of the table is violated\(constraint).")
    case "53", "54": return (.resourceExhausted, "This is too much for the database (SQLSTATE \(state)).")
    case "08": return (.unavailable, "The connection to the database was lost.")
    case "42": return (.invalidArgument, "The database does not understand the statement (SQLSTATE \(state)).")
    case "40", "P0": return (.aborted, "The database gave the operation up (SQLSTATE \(state)).")
    default:
      return (.internalFailure, "The database refused the statement\(state.isEmpty ? "" : " (SQLSTATE \(state))").")
    }
  }
}

extension PostgreSQLError {
  /// The name of the constraint in the server's message.
  fileprivate var constraint: String? {
    guard let start = message.firstRange(of: "constraint \"")?.upperBound,
      let end = message[start...].firstIndex(of: "\"")
    else { return nil }
    return message[start..<end].shownInMessage()
  }
}
