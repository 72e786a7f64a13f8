/// The history of a schema: step n turns version n into version n + 1 (`PRAGMA user_version`).
///
/// Published steps are never edited: a change of the schema is a new step at the end.
package struct Migrations: Sendable {
  /// Scripts of SQL, in order; each may hold several statements, none of them BEGIN or COMMIT.
  package let steps: [String]

  /// Creates a history from its steps, the oldest first.
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
  ///
  /// One statement, so that it sees one state of a file that another process is just making.
  func check(applicationID: Int32, _ migrations: Migrations) throws(SQLiteError) {
    let header = try first(
      """
      SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
        (SELECT count(*) FROM sqlite_schema)
      """
    ) { row throws(SQLiteError) in
      (id: row.integer(at: 0), version: row.integer(at: 1), isEmpty: row.integer(at: 2) == 0)
    }
    guard let header else { return }
    guard header.id == Int64(applicationID) || (header.id == 0 && header.isEmpty) else {
      throw SQLiteError(kind: .foreignFile, message: "The database at \(path) belongs to another program.", path: path)
    }
    let found = header.version
    guard found >= 0, found <= migrations.version else {
      throw SQLiteError(
        kind: .newerVersion,
        message:
          "The database at \(path) was made by a newer version of this program: it has version \(found), and this "
          + "program knows up to \(migrations.version).",
        path: path)
    }
  }
}
