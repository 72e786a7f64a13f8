internal import CSQLite

/// A prepared statement. When it goes out of scope it is reset and kept by the database for the next use of its text.
@safe
package struct Statement: ~Copyable {
  /// The text it was prepared from.
  package let sql: String
  private let handle: OpaquePointer
  private let connection: DatabaseHandle

  init(_ sql: String, on connection: DatabaseHandle) throws(SQLiteError) {
    let taken = try unsafe connection.take(sql)
    self.sql = sql
    self.connection = connection
    unsafe handle = taken
  }

  deinit {
    unsafe connection.giveBack(handle, sql: sql)
  }

  /// Binds one value; the first parameter has number 1.
  ///
  /// - Throws: `tooBig` for a value over the limit of SQLite, `misuse` for a parameter that does not exist.
  package func bind(_ value: some SQLiteBindable, at index: Int) throws(SQLiteError) {
    let number = Int32(clamping: index)
    let code =
      switch value.sqliteValue {
      case .null: unsafe sqlite3_bind_null(handle, number)
      case .integer(let integer): unsafe sqlite3_bind_int64(handle, number, integer)
      case .real(let real): unsafe sqlite3_bind_double(handle, number, real)
      case .text(var text):
        text.withUTF8 { bytes in
          guard let base = bytes.baseAddress else { return unsafe csqlite_bind_text(handle, number, "", 0) }
          return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            unsafe csqlite_bind_text(handle, number, $0, UInt64(bytes.count))
          }
        }
      case .blob(let blob):
        unsafe blob.withUnsafeBytes { unsafe csqlite_bind_blob(handle, number, $0.baseAddress, UInt64($0.count)) }
      }
    guard code == SQLITE_OK else { throw connection.failure(code, sql: sql) }
  }

  /// Binds all parameters, in order.
  ///
  /// - Throws: `misuse` when the count is not that of the parameters.
  package func bind(_ values: [any SQLiteBindable]) throws(SQLiteError) {
    let expected = Int(unsafe sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw SQLiteError(
        kind: .misuse, message: "The statement has \(expected) parameters, \(values.count) values were given.",
        sql: sql, path: connection.path)
    }
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Runs to the next row. Gives false when there is none; the statement is then reset and can run again.
  package func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      unsafe sqlite3_reset(handle)
      return false
    }
    let error = connection.failure(code, sql: sql)
    unsafe sqlite3_reset(handle)
    throw error
  }

  /// Makes the statement ready to run again; the bound values stay.
  package func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// The number of columns of a row.
  private var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  /// The value of a column of the current row, as it is stored.
  package func value(at index: Int) -> SQLiteValue {
    switch unsafe sqlite3_column_type(handle, column(index)) {
    case SQLITE_INTEGER: .integer(integer(at: index))
    case SQLITE_FLOAT: .real(real(at: index))
    case SQLITE_TEXT: .text(text(at: index))
    case SQLITE_BLOB: .blob(blob(at: index))
    default: .null
    }
  }

  /// Whether the column of the current row is NULL.
  package func isNull(at index: Int) -> Bool {
    unsafe sqlite3_column_type(handle, column(index)) == SQLITE_NULL
  }

  /// The column as an integer, converted as SQLite converts; 0 for NULL.
  package func integer(at index: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, column(index))
  }

  /// The column as a floating-point number, converted as SQLite converts; 0 for NULL.
  package func real(at index: Int) -> Double {
    unsafe sqlite3_column_double(handle, column(index))
  }

  /// The column as text, converted as SQLite converts; empty for NULL. Wrong UTF-8 is repaired.
  package func text(at index: Int) -> String {
    let number = column(index)
    guard let start = unsafe sqlite3_column_text(handle, number) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, number))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of the column; empty for NULL.
  package func blob(at index: Int) -> [UInt8] {
    let number = column(index)
    guard let start = unsafe sqlite3_column_blob(handle, number) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, number))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func column(_ index: Int) -> Int32 {
    precondition(index >= 0 && index < columnCount, "column \(index) of \(columnCount)")
    return Int32(index)
  }
}
