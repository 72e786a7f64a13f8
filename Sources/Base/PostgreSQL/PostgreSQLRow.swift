internal import CPostgreSQL

/// One row of an answer, in the server's binary format.
package struct PostgreSQLRow: Sendable {
  let result: QueryResult

  /// The number of columns.
  package var count: Int { result.columns }

  /// Returns whether the column is NULL; columns begin at 0.
  package func isNull(at index: Int) -> Bool { result.isNull(column(index)) }

  /// The bytes of a column; empty for NULL.
  package func bytes(at index: Int) -> [UInt8] { unsafe result.withBytes(column(index)) { unsafe [UInt8]($0) } }

  /// A column of text, or of a type whose binary format is text. Wrong UTF-8 is repaired.
  package func text(at index: Int) -> String {
    unsafe result.withBytes(column(index)) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// A column of two, four or eight bytes; 0 for NULL.
  package func integer(at index: Int) -> Int64 {
    unsafe result.withBytes(column(index)) { bytes in
      guard [2, 4, 8].contains(bytes.count) else { return 0 }
      let value = unsafe bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let unused = 64 - 8 * bytes.count
      return Int64(bitPattern: value << unused) >> unused
    }
  }

  /// A column of four or eight bytes; 0 for NULL.
  package func real(at index: Int) -> Double {
    unsafe result.withBytes(column(index)) { bytes in
      let value = unsafe bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return switch bytes.count {
      case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: value)))
      case 8: Double(bitPattern: value)
      default: 0
      }
    }
  }

  /// A column of one byte; false for NULL.
  package func boolean(at index: Int) -> Bool { unsafe result.withBytes(column(index)) { unsafe $0.first == 1 } }

  /// The name of a column.
  package func name(at index: Int) -> String { result.name(column(index)) }

  private func column(_ index: Int) -> Int32 {
    precondition(index >= 0 && index < count, "column \(index) of \(count)")
    return Int32(index)
  }
}

/// One result of libpq, with one row at most.
///
/// `@unchecked Sendable`, because: libpq never changes a result that it has handed over, allows every thread to read it,
/// and the last holder frees it.
@safe
final class QueryResult: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(taking pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  var status: ExecStatusType { unsafe PQresultStatus(pointer) }
  var columns: Int { Int(unsafe PQnfields(pointer)) }
  var rows: Int { Int(unsafe PQntuples(pointer)) }
  /// How many rows the statement changed.
  var changed: Int { Int(unsafe String(cString: PQcmdTuples(pointer))) ?? 0 }

  /// Bytes of the row's values.
  var bytes: Int { (0..<Int32(columns)).reduce(0) { $0 + length($1) } }

  func isNull(_ column: Int32) -> Bool { unsafe PQgetisnull(pointer, 0, column) == 1 }

  func name(_ column: Int32) -> String { unsafe PQfname(pointer, column).map { unsafe String(cString: $0) } ?? "" }

  func withBytes<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    let count = length(column)
    guard count > 0, let start = unsafe PQgetvalue(pointer, 0, column) else {
      return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) {
      unsafe body(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func length(_ column: Int32) -> Int { Int(unsafe PQgetlength(pointer, 0, column)) }

  /// What the server refused; `nil` for an answer.
  var error: PostgreSQLError? {
    guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
    let state = unsafe Self.text(cpostgresql_sqlstate(pointer))
    guard let message = unsafe Self.text(cpostgresql_message(pointer)) else {
      // Without a field the words are libpq's own: the connection is gone.
      let message = unsafe Self.text(PQresultErrorMessage(pointer)) ?? "The server sent no valid answer."
      return PostgreSQLError(.connectionLost, ServerText.line(message), isOutcomeUnknown: true)
    }
    return PostgreSQLError(
      .refused, "The server refused the statement: \(ServerText.line(message)).", sqlState: state,
      detail: unsafe Self.text(cpostgresql_detail(pointer)).map(ServerText.line),
      isOutcomeUnknown: state.map(Self.isEndOfConnection) ?? false)
  }

  /// The server, or somebody in between, ended the connection, possibly after the statement.
  private static func isEndOfConnection(_ state: String) -> Bool {
    ["57P01", "57P02"].contains(state) || state.hasPrefix("08")
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}

/// Words of a server or of libpq, made one line of a bounded length.
enum ServerText {
  static func line(_ text: String) -> String {
    // libpq indents its second line by a tab.
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return String((line.hasSuffix(".") ? line.dropLast() : line[...]).prefix(500))
  }
}
