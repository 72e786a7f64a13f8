internal import JSON
internal import SQLite

/// The tables of one file: results, the entities that they share, and which result has which.
enum ResultTable {
  static let migrations = Migrations([
    """
    CREATE TABLE result (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      tree TEXT NOT NULL,
      maximum_age INTEGER,
      stored_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      is_stale INTEGER NOT NULL,
      size INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX result_used ON result (used_at, id, size);
    CREATE TABLE entity (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
    CREATE TABLE part (
      result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
      entity INTEGER NOT NULL REFERENCES entity,
      PRIMARY KEY (result, entity)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX part_entity ON part (entity);
    """
  ])

  /// The least number of milliseconds between two notes that a result was read: reading should seldom write.
  static let touchInterval = 60_000
}

/// A cached result.
struct KeptResult: Sendable, Equatable {
  var data: JSONValue
  /// Milliseconds; `nil` where the server did not say.
  var maximumAge: Int?
  var storedAt: Int
  /// Whether a mutation has touched one of its entities.
  var isStale: Bool

  /// - Parameter maximumAge: what counts where the server did not say, in milliseconds.
  func isFresh(now: Int, maximumAge: Int) -> Bool {
    // A clock that was set back makes nothing younger.
    !isStale && now >= storedAt && now - storedAt < self.maximumAge ?? maximumAge
  }
}

extension Database {
  /// A result, and a note that it was read.
  func result(_ key: String, now: Int) throws(SQLiteError) -> KeptResult? {
    let found = try first(
      "SELECT id, tree, maximum_age, stored_at, used_at, is_stale FROM result WHERE key = ?", key
    ) { row throws(SQLiteError) in
      (
        id: row.integer(at: 0), tree: row.text(at: 1),
        result: KeptResult(
          data: .null, maximumAge: row.isNull(at: 2) ? nil : row.milliseconds(at: 2), storedAt: row.milliseconds(at: 3),
          isStale: row.integer(at: 5) != 0),
        usedAt: row.milliseconds(at: 4)
      )
    }
    guard var found else { return nil }
    guard let data = try data(of: found.tree, in: found.id) else {
      // The row is unreadable, so it is removed.
      try run("DELETE FROM result WHERE id = ?", found.id)
      return nil
    }
    // A file that cannot be written now can still be read.
    if now - found.usedAt >= ResultTable.touchInterval {
      _ = try? run("UPDATE result SET used_at = ? WHERE id = ?", now, found.id)
    }
    found.result.data = data
    return found.result
  }

  private func data(of tree: String, in result: Int64) throws(SQLiteError) -> JSONValue? {
    guard let tree = try? JSONCoding.parse(tree, maximumDepth: 256) else { return nil }
    var entities: [String: JSONObject] = [:]
    let statement = try prepare(
      "SELECT entity.name, entity.body FROM part JOIN entity ON entity.id = part.entity WHERE part.result = ?")
    try statement.bind(result, at: 1)
    while try statement.step() {
      guard let body = try? JSONCoding.parse(statement.text(at: 1)).objectValue else { return nil }
      entities[statement.text(at: 0)] = body
    }
    return JoinedResult.data(of: tree, entities: entities)
  }
}

extension Statement {
  /// Milliseconds in a range that sums do not overflow, whatever the file holds.
  fileprivate func milliseconds(at index: Int) -> Int { Int(min(max(integer(at: index), 0), 1 << 50)) }
}
