/// A value as SQLite stores it.
package enum SQLiteValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A Swift value that can be bound to a parameter of a statement.
package protocol SQLiteBindable: Sendable {
  /// The value as SQLite stores it.
  var sqliteValue: SQLiteValue { get }
}

extension SQLiteValue: SQLiteBindable {
  /// The value itself.
  package var sqliteValue: SQLiteValue { self }
}

extension Int: SQLiteBindable {
  /// The number as an SQLite integer.
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: SQLiteBindable {
  /// The number as an SQLite integer.
  package var sqliteValue: SQLiteValue { .integer(self) }
}

extension Int32: SQLiteBindable {
  /// The number as an SQLite integer.
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

/// Stored as 0 or 1.
extension Bool: SQLiteBindable {
  /// 1 for `true`, 0 for `false`.
  package var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

/// Not-a-number is stored as NULL by SQLite.
extension Double: SQLiteBindable {
  /// The number as an SQLite real.
  package var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteBindable {
  /// The text in UTF-8.
  package var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteBindable {
  /// The bytes as a blob.
  package var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  /// The wrapped value; NULL for `nil`.
  package var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}
