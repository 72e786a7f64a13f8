/// The history of a schema: step n turns version n into version n + 1 (`PRAGMA user_version`).
///
/// Published steps are never edited: a change of the schema is a new step at the end.
package struct Migrations: Sendable {
  /// Scripts of SQL, in order; each may hold several statements, none of them BEGIN or COMMIT.
  package let steps: [String]

  package init(_ steps: [String]) {
    self.steps = steps
  }

  /// The version this program writes.
  package var version: Int64 { Int64(steps.count) }
}

extension Database {
  /// Brings the file to the newest version, all steps in one transaction; a second process waits and finds it done.
  func migrate(_ migrations: Migrations, applicationID: Int32) throws(SQLiteError) {
    if try scalar("PRAGMA user_version") == .integer(migrations.version),
      try scalar("PRAGMA application_id") == .integer(Int64(applicationID))
    {
      return
    }
    try transaction { () throws(SQLiteError) in
      try self.check(applicationID: applicationID, migrations)
      guard case .integer(let found) = try self.scalar("PRAGMA user_version") else { return }
      for step in migrations.steps.dropFirst(Int(found)) {
        try self.script(step)
      }
      try self.script("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.version)")
    }
  }

  /// Refuses files of other programs and of newer versions. An empty file is nobody's.
  func check(applicationID: Int32, _ migrations: Migrations) throws(SQLiteError) {
    let id = try scalar("PRAGMA application_id")
    if id != .integer(Int64(applicationID)) {
      let isEmpty = try scalar("SELECT count(*) FROM sqlite_schema") == .integer(0)
      guard id == .integer(0), isEmpty else {
        throw SQLiteError(
          kind: .foreignFile, message: "The database at \(path) belongs to another program.", path: path)
      }
    }
    guard case .integer(let found) = try scalar("PRAGMA user_version") else { return }
    guard found >= 0, found <= migrations.version else {
      throw SQLiteError(
        kind: .newerVersion,
        message: "The database at \(path) has version \(found); this program knows versions up to \(migrations.version).",
        path: path)
    }
  }
}
