internal import JSON
internal import SQLite

/// An event for the owner of a task, before the journal has given it a number.
package struct TransferNews: Sendable, Equatable {
  /// What happened.
  package let kind: TransferEvent.Kind
  /// The path of a finished download, relative to the container.
  package var path: String?
  /// The server's answer, if there is one.
  package var response: TransferResponse?
  /// The reason the task failed; `nil` when it did not.
  package var error: TransferFailure?

  /// Creates an event that has no number yet.
  package init(
    _ kind: TransferEvent.Kind, path: String? = nil, response: TransferResponse? = nil, error: TransferFailure? = nil
  ) {
    (self.kind, self.path, self.response, self.error) = (kind, path, response, error)
  }
}

extension JournalTables {
  func tell(_ news: TransferNews, of task: Int64, _ key: SessionKey) throws(SQLiteError) {
    try database.run(
      "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", try nextNumber("event"), key.app, key.identifier, task,
      news.kind.rawValue, news.path, news.response.flatMap { JSONCoding.text($0) },
      news.error.flatMap { JSONCoding.text($0) })
  }

  func events(of key: SessionKey, after id: Int64, atMost count: Int) throws(SQLiteError) -> [TransferEvent] {
    try database.rows(
      """
      SELECT id, task, kind, path, response, error FROM events
      WHERE app = ? AND identifier = ? AND id > ? ORDER BY id LIMIT ?
      """, key.app, key.identifier, id, count
    ) { row throws(SQLiteError) in
      guard let kind = TransferEvent.Kind(rawValue: row.text(at: 2)) else { throw damaged("an event") }
      return TransferEvent(
        id: row.integer(at: 0), session: key, task: row.integer(at: 1), kind: kind,
        path: row.isNull(at: 3) ? nil : row.text(at: 3), response: decoded(row, at: 4), error: decoded(row, at: 5))
    }
  }

  private func decoded<Value: Decodable>(_ row: borrowing Statement, at column: Int) -> Value? {
    row.isNull(at: column) ? nil : try? JSONCoding.decode(Value.self, from: Array(row.text(at: column).utf8))
  }

  /// Returns the number of unacknowledged events of each session.
  func unacknowledged() throws(SQLiteError) -> [SessionKey: Int] {
    var counts: [SessionKey: Int] = [:]
    _ = try database.rows("SELECT app, identifier, count(*) FROM events GROUP BY app, identifier") {
      row throws(SQLiteError) in
      counts[SessionKey(app: row.text(at: 0), identifier: row.text(at: 1))] = Int(row.integer(at: 2))
    }
    return counts
  }

  func acknowledge(_ ids: [Int64], of key: SessionKey) throws(SQLiteError) {
    for id in ids {
      try database.run("DELETE FROM events WHERE id = ? AND app = ? AND identifier = ?", id, key.app, key.identifier)
    }
    try purge(key)
  }
}
