import SQLite

extension GroupTables {
  func lease(_ name: String) throws(SQLiteError) -> LeaseTerm? {
    try database.first("SELECT owner, token, boot, ends FROM leases WHERE name = ?", name) {
      row throws(SQLiteError) in
      LeaseTerm(
        owner: row.isNull(at: 0) ? nil : row.text(at: 0), token: row.integer(at: 1), boot: row.text(at: 2),
        end: row.integer(at: 3))
    }
  }

  /// Keeps a term; the row stays when the lease is given back, so that tokens go on growing.
  func keep(_ term: LeaseTerm, for name: String) throws(SQLiteError) {
    try database.run(
      """
      INSERT INTO leases VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET owner = excluded.owner, token = excluded.token, boot = excluded.boot, ends = excluded.ends
      """, name, term.owner, term.token, term.boot, term.end)
  }
}
