internal import CSQLite
import EventLoop
import Text

/// The C connection and its idle prepared statements. Statements keep it alive.
///
/// Not Sendable: `Database` and `Statement`, which share it, are not Sendable either, so that the compiler keeps all
/// three in one isolation domain.
@safe
final class DatabaseHandle {
  let path: String
  private let handle: OpaquePointer
  private var idle: [ExactText: OpaquePointer] = unsafe [:]
  private static let idleLimit = 64

  init(path: String, isReadOnly: Bool) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags =
      (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(
        kind: SQLiteError.Kind(code: code), code: code & 0xff, extendedCode: code,
        message: "The database at \(path) cannot be opened: \(message).", path: path)
    }
    self.path = path
    unsafe handle = opened
    unsafe csqlite_set_defensive(opened)
  }

  deinit {
    while let (_, statement) = unsafe idle.popFirst() { unsafe sqlite3_finalize(statement) }
    unsafe sqlite3_close_v2(handle)
  }

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }
  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  func setBusyTimeout(_ timeout: Duration) {
    unsafe sqlite3_busy_timeout(handle, Int32(clamping: timeout.wholeMilliseconds))
  }

  /// An idle statement for `sql`, or a new one. The text must hold exactly one statement.
  func take(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = unsafe idle.removeValue(forKey: ExactText(sql)) { return unsafe statement }
    let (statement, rest) = try unsafe prepare(sql[...])
    guard let statement = unsafe statement else {
      throw SQLiteError(kind: .misuse, message: "There is no statement in the text.", sql: sql, path: path)
    }
    guard rest.allSatisfy(\.isWhitespace) else {
      unsafe sqlite3_finalize(statement)
      throw SQLiteError(kind: .misuse, message: "There is text after the first statement.", sql: sql, path: path)
    }
    return unsafe statement
  }

  /// Keeps a statement for the next use of the same text.
  func giveBack(_ statement: OpaquePointer, sql: String) {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
    let key = ExactText(sql)
    if unsafe idle.count < Self.idleLimit, unsafe idle[key] == nil {
      unsafe idle[key] = statement
    } else {
      unsafe sqlite3_finalize(statement)
    }
  }

  /// Prepares the first statement of `sql`; gives nil for a comment or white space, and what follows.
  func prepare(_ sql: Substring) throws(SQLiteError) -> (OpaquePointer?, Substring) {
    guard !sql.utf8.contains(0) else {
      throw SQLiteError(kind: .misuse, message: "SQL holds no NUL.", sql: String(sql), path: path)
    }
    var text = sql
    var statement: OpaquePointer?
    let (code, used) = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return (SQLITE_OK, 0) }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
        var tail: UnsafePointer<CChar>?
        let code = unsafe sqlite3_prepare_v3(
          handle, start, Int32(clamping: bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
        return (code, unsafe tail.map { unsafe $0 - start } ?? 0)
      }
    }
    guard code == SQLITE_OK else { throw failure(code, sql: String(sql)) }
    return unsafe (statement, sql.dropFirst(utf8Count: used))
  }

  /// The error that SQLite just reported.
  func failure(_ code: Int32, sql: String?) -> SQLiteError {
    let extended = unsafe sqlite3_extended_errcode(handle)
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    return SQLiteError(
      kind: SQLiteError.Kind(code: code), code: code & 0xff,
      extendedCode: extended & 0xff == code & 0xff ? extended : code,
      message: "The database refused a statement: \(message).", sql: sql, path: path)
  }
}

extension Substring {
  fileprivate func dropFirst(utf8Count: Int) -> Substring {
    self[(utf8.index(startIndex, offsetBy: utf8Count, limitedBy: endIndex) ?? endIndex)...]
  }
}
