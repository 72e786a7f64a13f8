internal import SQLite

extension ResponseCache {
  static let migrations = Migrations([
    """
    CREATE TABLE response (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      identity TEXT NOT NULL,
      body BLOB NOT NULL,
      entity_tag TEXT,
      maximum_age INTEGER NOT NULL,
      stale_while_revalidate INTEGER NOT NULL,
      stale_if_error INTEGER NOT NULL,
      stored_at INTEGER NOT NULL,
      initial_age INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      size INTEGER NOT NULL,
      UNIQUE (url, identity)
    ) STRICT;
    CREATE INDEX response_used ON response (used_at, id, size);
    """,
    // Later versions compute the identity of the caller in another way, so older rows never match.
    "DELETE FROM response;",
  ])
}

extension Database {
  func answer(for key: ResponseCache.Key) throws(SQLiteError) -> CachedAnswer? {
    try first(
      """
      SELECT body, entity_tag, maximum_age, stale_while_revalidate, stale_if_error, stored_at, initial_age
      FROM response WHERE url = ? AND identity = ?
      """, key.url, key.identity
    ) { row throws(SQLiteError) in
      var control = CacheControl()
      control.maximumAge = row.seconds(at: 2)
      control.staleWhileRevalidate = row.seconds(at: 3)
      control.staleIfError = row.seconds(at: 4)
      return CachedAnswer(
        body: row.blob(at: 0), entityTag: row.isNull(at: 1) ? nil : row.text(at: 1), control: control,
        storedAt: row.seconds(at: 5), initialAge: row.seconds(at: 6))
    }
  }

  /// Notes that an answer was used, at most once a minute: reading should seldom write.
  func touch(_ key: ResponseCache.Key, now: Int) throws(SQLiteError) {
    try run(
      "UPDATE response SET used_at = ? WHERE url = ? AND identity = ? AND used_at < ?", now, key.url, key.identity,
      now - 60)
  }

  /// Stores an answer, and removes the least recently used ones until the sum of all sizes is at most `limit`.
  func store(
    _ answer: CachedAnswer, for key: ResponseCache.Key, size: Int, now: Int, limit: Int
  ) throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in
      // First the space, then the answer: the file is bounded too.
      try self.run("DELETE FROM response WHERE url = ? AND identity = ?", key.url, key.identity)
      try self.run(
        """
        DELETE FROM response WHERE id IN (
          SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY used_at DESC, id DESC) AS total FROM response)
          WHERE total > ?)
        """, limit - size)
      try self.run(
        """
        INSERT INTO response (url, identity, body, entity_tag, maximum_age, stale_while_revalidate, stale_if_error,
          stored_at, initial_age, used_at, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, key.url, key.identity, answer.body, answer.entityTag, answer.control.maximumAge,
        answer.control.staleWhileRevalidate, answer.control.staleIfError, answer.storedAt, answer.initialAge, now, size)
    }
  }
}

extension Statement {
  /// Returns a column's seconds, limited to a range in which sums do not overflow, because the file may be damaged.
  fileprivate func seconds(at index: Int) -> Int { Int(min(max(integer(at: index), 0), 1 << 40)) }
}
