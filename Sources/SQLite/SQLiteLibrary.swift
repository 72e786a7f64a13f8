internal import CSQLite

/// The library underneath.
package enum SQLiteLibrary {
  /// The version in use, for example `3.40.1`.
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
