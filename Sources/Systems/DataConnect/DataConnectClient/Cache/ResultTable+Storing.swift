internal import JSON
internal import SQLite

/// A result on its way into the tables.
struct StoredResult: Sendable {
  var key: String
  var parts: SplitResult
  /// Milliseconds; `nil` where the server did not say.
  var maximumAge: Int?
}

extension Database {
  /// Keeps a result in place of the older one, and makes space for it.
  ///
  /// - Parameter limit: bytes of all results together.
  /// - Returns: the keys of the results that are others now.
  func store(_ result: StoredResult, now: Int, limit: Int) throws(SQLiteError) -> Set<String> {
    let tree = JSONCoding.text(of: result.parts.tree)
    return try transaction { () throws(SQLiteError) in
      let merge = try self.merge(result.parts.entities, isAdding: true)
      let size = tree.utf8.count + result.key.utf8.count + merge.bytes
      guard size <= limit / 2 else {
        try self.remove(result.key)
        return try self.results(with: merge.changed)
      }
      let old = try self.first("SELECT tree FROM result WHERE key = ?", result.key) { row throws(SQLiteError) in
        row.text(at: 0)
      }
      try self.run(
        """
        INSERT INTO result (key, tree, maximum_age, stored_at, used_at, is_stale, size) VALUES (?, ?, ?, ?, ?, 0, ?)
        ON CONFLICT (key) DO UPDATE SET tree = excluded.tree, maximum_age = excluded.maximum_age,
          stored_at = excluded.stored_at, used_at = excluded.used_at, is_stale = 0, size = excluded.size
        """, result.key, tree, result.maximumAge, now, now, size)
      guard case .integer(let id) = try self.scalar("SELECT id FROM result WHERE key = ?", result.key) else {
        return []
      }
      try self.assign(merge.ids, to: id)
      var changed = try self.results(with: merge.changed)
      if old != tree { changed.insert(result.key) }
      try self.evict(limit: limit)
      return changed
    }
  }

  /// Takes what a mutation said of entities, where they are kept; the results that have them are stale now.
  ///
  /// - Returns: the keys of the results that are others now.
  func touch(_ entities: [String: JSONObject]) throws(SQLiteError) -> Set<String> {
    try transaction { () throws(SQLiteError) in
      let merge = try self.merge(entities, isAdding: false)
      for id in merge.ids {
        try self.run("UPDATE result SET is_stale = 1 WHERE id IN (SELECT result FROM part WHERE entity = ?)", id)
      }
      return try self.results(with: merge.changed)
    }
  }

  func remove(_ key: String) throws(SQLiteError) {
    try run("DELETE FROM result WHERE key = ?", key)
    try removeOrphans()
  }

  private typealias Merge = (ids: Set<Int64>, changed: [Int64], bytes: Int)

  /// - Parameter isAdding: whether entities that are not there are made.
  private func merge(_ entities: [String: JSONObject], isAdding: Bool) throws(SQLiteError) -> Merge {
    var merge: Merge = ([], [], 0)
    for (name, members) in entities {
      let old = try first("SELECT id, body FROM entity WHERE name = ?", name) { row throws(SQLiteError) in
        (id: row.integer(at: 0), body: row.text(at: 1))
      }
      var text = JSONCoding.text(of: .object(members))
      if let old {
        merge.ids.insert(old.id)
        if text != old.body {
          var whole = (try? JSONCoding.parse(old.body).objectValue) ?? [:]
          var isChanged = false
          for (name, value) in members where whole[name] != value {
            // A member that is new changes no result.
            isChanged = isChanged || whole[name] != nil
            whole[name] = value
          }
          text = JSONCoding.text(of: .object(whole))
          if isChanged { merge.changed.append(old.id) }
          if text != old.body { try run("UPDATE entity SET body = ? WHERE id = ?", text, old.id) }
        }
      } else if isAdding {
        try run("INSERT INTO entity (name, body) VALUES (?, ?)", name, text)
        merge.ids.insert(lastInsertedRow)
      }
      merge.bytes += name.utf8.count + text.utf8.count
    }
    return merge
  }

  /// Sets the entities of a result, replacing earlier ones.
  private func assign(_ entities: Set<Int64>, to result: Int64) throws(SQLiteError) {
    let old = Set(
      try rows("SELECT entity FROM part WHERE result = ?", result) { row throws(SQLiteError) in row.integer(at: 0) })
    for entity in entities.subtracting(old) {
      try run("INSERT INTO part (result, entity) VALUES (?, ?)", result, entity)
    }
    for entity in old.subtracting(entities) {
      try run("DELETE FROM part WHERE result = ? AND entity = ?", result, entity)
      try run("DELETE FROM entity WHERE id = ? AND NOT EXISTS (SELECT 1 FROM part WHERE entity = ?)", entity, entity)
    }
  }

  private func results(with entities: [Int64]) throws(SQLiteError) -> Set<String> {
    var keys: Set<String> = []
    for entity in entities {
      let sql = "SELECT result.key FROM part JOIN result ON result.id = part.result WHERE part.entity = ?"
      keys.formUnion(try rows(sql, entity) { row throws(SQLiteError) in row.text(at: 0) })
    }
    return keys
  }

  /// Removes the results that were not used for longest while all together are larger than the limit.
  private func evict(limit: Int) throws(SQLiteError) {
    let count = try run(
      """
      DELETE FROM result WHERE id IN (
        SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY used_at DESC, id DESC) AS total FROM result)
        WHERE total > ?)
      """, limit)
    if count > 0 { try removeOrphans() }
  }

  private func removeOrphans() throws(SQLiteError) {
    try run("DELETE FROM entity WHERE NOT EXISTS (SELECT 1 FROM part WHERE part.entity = entity.id)")
  }
}
