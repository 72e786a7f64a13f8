import GraphQL
import JSON
import PostgreSQL
import Testing

@testable import DataConnectEmulator

/// What a client is told of an error of the database, for each of its codes.
@Suite(.timeLimit(.minutes(1)))
struct `An error of the database` {
  private static func refused(_ state: String?, _ message: String = "m", detail: String? = nil) -> PostgreSQLError {
    PostgreSQLError(.refused, message, sqlState: state, detail: detail)
  }

  private func told(_ error: PostgreSQLError, isAdministrator: Bool = false) -> OperationError {
    OperationError(error, isAdministrator: isAdministrator)
  }

  @Test(
    arguments: [
      ("23505", .alreadyExists, "There is a row with the same key or unique value already."),
      ("23503", .failedPrecondition, "A row that this one leads to, or is led to by, is missing."),
      ("23502", .invalidArgument, "A column that cannot be null has no value."),
      ("23514", .failedPrecondition, "A value violates a rule of the table."),
      ("22001", .invalidArgument, "A text is too long for its column."),
      ("22003", .invalidArgument, "A number or time is out of range."),
      ("22008", .invalidArgument, "A number or time is out of range."),
      ("22012", .invalidArgument, "Something was divided by zero."),
      ("40001", .aborted, "Another operation was in the way. Try again."),
      ("40P01", .aborted, "Another operation was in the way. Try again."),
      ("55P03", .aborted, "Another operation was in the way. Try again."),
      ("57014", .deadlineExceeded, "The database took too long."),
      ("25006", .permissionDenied, "Nothing may be written here."),
      ("42501", .permissionDenied, "The database's user may not do this."),
      ("42P01", .failedPrecondition, "The database lacks a table, column, type or function of the schema."),
      ("42703", .failedPrecondition, "The database lacks a table, column, type or function of the schema."),
      ("42704", .failedPrecondition, "The database lacks a table, column, type or function of the schema."),
      ("42883", .failedPrecondition, "The database lacks a table, column, type or function of the schema."),
      ("53100", .resourceExhausted, "The database's disk is full."),
      ("57P01", .unavailable, "The database is being stopped or started."),
      ("57P02", .unavailable, "The database is being stopped or started."),
      ("57P03", .unavailable, "The database is being stopped or started."),
      ("0A000", .invalidArgument, "The database cannot do this (SQLSTATE 0A000)."),
      ("22P02", .invalidArgument, "A value does not fit (SQLSTATE 22P02)."),
      ("21000", .invalidArgument, "A value does not fit (SQLSTATE 21000)."),
      ("23P01", .failedPrecondition, "A rule of the table is violated."),
      ("53300", .resourceExhausted, "This is too much for the database (SQLSTATE 53300)."),
      ("54001", .resourceExhausted, "This is too much for the database (SQLSTATE 54001)."),
      ("08006", .unavailable, "The connection to the database was lost."),
      ("42601", .invalidArgument, "The database does not understand the statement (SQLSTATE 42601)."),
      ("40002", .aborted, "The database gave the operation up (SQLSTATE 40002)."),
      ("P0001", .aborted, "The database gave the operation up (SQLSTATE P0001)."),
      ("57000", .internalFailure, "The database refused the statement (SQLSTATE 57000)."),
      ("XX000", .internalFailure, "The database refused the statement (SQLSTATE XX000)."),
      ("", .internalFailure, "The database refused the statement."),
    ] as [(String, FailureCode, String)])
  func `has a code and a sentence by its state`(state: String, code: FailureCode, message: String) {
    let error = told(Self.refused(state))
    #expect(error.code == code && error.message == message)
    #expect(error.details == nil && error.path == [] && !error.isCheck && !error.isUnsent)
    #expect(error.isConnectionLost == (state.hasPrefix("57P") || state.hasPrefix("08")))
  }

  @Test func `without a state is a refusal without a reason`() {
    let error = told(Self.refused(nil))
    #expect(error.code == .internalFailure && error.message == "The database refused the statement.")
    #expect(!error.isConnectionLost)
  }

  @Test(
    arguments: [
      (.timedOut, .deadlineExceeded, "The database did not answer in time.", true, false),
      (.cancelled, .cancelled, "The request was cancelled.", true, false),
      (.tooLarge, .resourceExhausted, "The result is too large.", true, false),
      (.connectionLost, .unavailable, "The connection to the database was lost.", true, true),
      (.cannotConnect, .unavailable, "The connection to the database was lost.", true, true),
      (.notAdmitted, .unavailable, "The connection to the database was lost.", false, false),
      (.tooPowerful, .unavailable, "The connection to the database was lost.", false, false),
      (.invalidTarget, .unavailable, "The connection to the database was lost.", false, false),
      (.notReplicated, .unavailable, "The database's standby may not have what was committed.", false, false),
      (.misuse, .internalFailure, "The database was not asked as it should be.", false, false),
    ] as [(PostgreSQLError.Kind, FailureCode, String, Bool, Bool)])
  func `has a code and a sentence by its kind, whatever its state`(
    kind: PostgreSQLError.Kind, code: FailureCode, message: String, isLost: Bool, isUnsent: Bool
  ) {
    for state in [nil, "23505"] {
      let error = told(PostgreSQLError(kind, "m", sqlState: state))
      #expect(error.code == code && error.message == message)
      #expect(error.isConnectionLost == isLost && error.isUnsent == isUnsent)
    }
    // What may have been done was sent.
    let unknown = told(PostgreSQLError(kind, "m", isOutcomeUnknown: true))
    #expect(unknown.message == message + " It may have been carried out all the same.")
    #expect(unknown.isConnectionLost == isLost && !unknown.isUnsent)
  }

  @Test(
    arguments: [
      (#"duplicate key value violates unique constraint "movie_pkey""#, " (movie_pkey)"),
      (#"new row for "t" violates check constraint "é\#u{301}b" of it"#, " (é\u{301}b)"),
      (#"constraint """#, " ()"), (#"constraint "open"#, ""), ("constraint name", ""), ("", ""),
      (#"constraint "first" and constraint "second""#, " (first)"), ("constraint \"a\u{7}b\"", " (a\u{FFFD}b)"),
    ])
  func `names the constraint, and nothing else of the message`(message: String, name: String) {
    for (state, start) in [
      ("23505", "There is a row with the same key or unique value already"),
      ("23503", "A row that this one leads to, or is led to by, is missing"),
      ("23514", "A value violates a rule of the table"), ("23000", "A rule of the table is violated"),
    ] {
      #expect(told(Self.refused(state, message)).message == "\(start)\(name).")
    }
    #expect(told(Self.refused("23502", message)).message == "A column that cannot be null has no value.")
  }

  @Test func `is told whole to an administrator alone`() {
    let plain = Self.refused("23505", "Words.")
    let detailed = Self.refused("23505", "Words.", detail: "Key (id)=(1) exists")
    #expect(told(plain, isAdministrator: true).details == "Words.")
    #expect(told(detailed, isAdministrator: true).details == "Words. Key (id)=(1) exists.")
    #expect(told(detailed).details == nil)
    #expect(
      told(detailed, isAdministrator: true).json == [
        "message": "There is a row with the same key or unique value already.",
        "extensions": ["code": "ALREADY_EXISTS", "debugDetails": "Words. Key (id)=(1) exists."],
      ])
  }
}

/// The codes of failures, and what a client gets of them.
@Suite(.timeLimit(.minutes(1)))
struct `A failure of a request` {
  @Test(
    arguments: [
      (.cancelled, "CANCELLED", 499), (.invalidArgument, "INVALID_ARGUMENT", 400),
      (.deadlineExceeded, "DEADLINE_EXCEEDED", 504), (.notFound, "NOT_FOUND", 404),
      (.alreadyExists, "ALREADY_EXISTS", 409), (.permissionDenied, "PERMISSION_DENIED", 403),
      (.resourceExhausted, "RESOURCE_EXHAUSTED", 429), (.failedPrecondition, "FAILED_PRECONDITION", 400),
      (.aborted, "ABORTED", 409), (.unimplemented, "UNIMPLEMENTED", 501), (.internalFailure, "INTERNAL", 500),
      (.unavailable, "UNAVAILABLE", 503), (.unauthenticated, "UNAUTHENTICATED", 401),
    ] as [(FailureCode, String, Int)])
  func `has a word and a status by its code`(code: FailureCode, word: String, status: Int) {
    #expect(code.rawValue == word && code.status == status)
    let failure = RequestFailure(code, "Why.")
    #expect(failure.status == status)
    #expect(failure.json == ["code": JSONValue(status), "message": "Why.", "status": .string(word)])
    let other = RequestFailure(code, "Why.", status: 415)
    #expect(other.json == ["code": 415, "message": "Why.", "status": .string(word)])
    #expect(FailureCode.allCases.count == 13)
  }

  @Test func `in a field has a path where it is one of a field, and says nothing of the database`() {
    let whole = OperationError(.aborted, "Why.")
    #expect(whole.json == ["message": "Why.", "extensions": ["code": "ABORTED"]])
    let inside = OperationError(.notFound, "Why.", path: [.name("a"), .index(0), .name("b")])
    #expect(inside.json == ["message": "Why.", "path": ["a", 0, "b"], "extensions": ["code": "NOT_FOUND"]])
    #expect(!whole.isCheck && !whole.isConnectionLost && !whole.isUnsent)
  }
}
