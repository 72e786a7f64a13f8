import ExtensionProtocol
import JSONRPC
import PropertyList
import SQLite

/// The tables of the group store, on the store's thread.
///
/// A class because the actor keeps it in an optional and a database cannot be copied.
final class SuiteTables {
  private let database: Database

  /// "Anx1", the mark of our files.
  private static let applicationID: Int32 = 0x416E_7831

  private static let migrations = Migrations([
    """
    CREATE TABLE suites (
      name TEXT PRIMARY KEY, revision INTEGER NOT NULL, bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
      suite TEXT NOT NULL REFERENCES suites (name), key TEXT NOT NULL, value TEXT NOT NULL, revision INTEGER NOT NULL,
      PRIMARY KEY (suite, key)
    ) STRICT, WITHOUT ROWID;
    """
  ])

  init(path: String) throws {
    database = try Database(
      path: path, options: DatabaseOptions(applicationID: Self.applicationID), migrations: Self.migrations)
  }

  func entry(_ key: String, in suite: String) throws -> SuiteStore.Entry? {
    let row = try database.first(
      "SELECT value, revision FROM entries WHERE suite = ? AND key = ?", suite, key
    ) { row throws(SQLiteError) in (row.text(at: 0), row.integer(at: 1)) }
    return try row.map { SuiteStore.Entry(value: try Self.decode($0.0), revision: $0.1) }
  }

  func all(in suite: String) throws -> (values: [String: PropertyListValue], revision: Int64) {
    try database.atomically {
      let rows = try database.rows("SELECT key, value FROM entries WHERE suite = ?", suite) {
        row throws(SQLiteError) in (row.text(at: 0), row.text(at: 1))
      }
      var values: [String: PropertyListValue] = [:]
      for (key, value) in rows { values[key] = try Self.decode(value) }
      return (values, try revision(of: suite))
    }
  }

  /// - Parameter condition: asked inside the transaction; nothing is written when it is false.
  func apply(
    _ values: [String: PropertyListValue], removing keys: [String], in suite: String,
    when condition: (SuiteTables) throws -> Bool
  ) throws -> (applied: Bool, change: SuiteStore.Change) {
    try database.atomically {
      guard try condition(self) else {
        return (false, SuiteStore.Change(suite: suite, revision: try revision(of: suite), keys: []))
      }
      try database.run("INSERT OR IGNORE INTO suites VALUES (?, 0, 0)", suite)
      let next = try revision(of: suite) + 1
      var growth = 0
      for key in keys { growth -= try remove(key, from: suite) }
      for key in values.keys.sorted() {
        guard let value = values[key] else { continue }
        growth += try write(key, value, in: suite, revision: next)
      }
      try grow(suite, by: growth, revision: next)
      return (true, SuiteStore.Change(suite: suite, revision: next, keys: (keys + values.keys).sorted()))
    }
  }

  private func revision(of suite: String) throws -> Int64 {
    try database.first("SELECT revision FROM suites WHERE name = ?", suite) { row throws(SQLiteError) in
      row.integer(at: 0)
    } ?? 0
  }

  private func size(of key: String, in suite: String) throws -> Int {
    let size = try database.first(
      "SELECT length(CAST(key AS BLOB)) + length(CAST(value AS BLOB)) FROM entries WHERE suite = ? AND key = ?", suite,
      key
    ) { row throws(SQLiteError) in row.integer(at: 0) }
    return Int(size ?? 0)
  }

  private func remove(_ key: String, from suite: String) throws -> Int {
    let size = try size(of: key, in: suite)
    try database.run("DELETE FROM entries WHERE suite = ? AND key = ?", suite, key)
    return size
  }

  private func write(
    _ key: String, _ value: PropertyListValue, in suite: String, revision: Int64
  ) throws -> Int {
    guard !key.isEmpty, key.utf8.count <= SuiteStore.keyLimit else {
      throw ExtensionError(
        .limitExceeded, "A key of \(suite) has \(key.utf8.count) bytes; it may have 1 to \(SuiteStore.keyLimit).")
    }
    let text = try Self.encode(value)
    guard text.utf8.count <= SuiteStore.valueLimit else {
      throw ExtensionError(
        .limitExceeded,
        "The value for \"\(key)\" has \(text.utf8.count) bytes; a value may have \(SuiteStore.valueLimit).",
        details: ["limit": .integer(Int64(SuiteStore.valueLimit))])
    }
    let before = try size(of: key, in: suite)
    try database.run(
      """
      INSERT INTO entries VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET value = excluded.value, revision = excluded.revision
      """, suite, key, text, revision)
    return key.utf8.count + text.utf8.count - before
  }

  private func grow(_ suite: String, by growth: Int, revision: Int64) throws {
    try database.run(
      "UPDATE suites SET revision = ?, bytes = bytes + ? WHERE name = ?", revision, growth, suite)
    let bytes = try database.first("SELECT bytes FROM suites WHERE name = ?", suite) { row throws(SQLiteError) in
      row.integer(at: 0)
    }
    guard growth <= 0 || (bytes ?? 0) <= SuiteStore.suiteLimit else {
      throw ExtensionError(
        .limitExceeded, "The suite \(suite) would have \(bytes ?? 0) bytes; it may have \(SuiteStore.suiteLimit).",
        recovery: "Remove values that are no longer needed.",
        details: ["limit": .integer(Int64(SuiteStore.suiteLimit))])
    }
  }

  private static func encode(_ value: PropertyListValue) throws -> String {
    do {
      return String(decoding: try JSONCoding.encode(value), as: UTF8.self)
    } catch {
      throw ExtensionError(.invalidParams, "The value cannot be stored: \(error)")
    }
  }

  private static func decode(_ text: String) throws -> PropertyListValue {
    do {
      return try JSONCoding.decode(PropertyListValue.self, from: Array(text.utf8))
    } catch {
      throw ExtensionError(.storeFailed, "A stored value cannot be read: \(error)")
    }
  }
}
