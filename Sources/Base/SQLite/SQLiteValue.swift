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
  package var sqliteValue: SQLiteValue { self }
}

extension Int: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .integer(self) }
}

extension Int32: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

/// Stored as 0 or 1.
extension Bool: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

/// Not-a-number is stored as NULL by SQLite.
extension Double: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteBindable {
  package var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  package var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}
