internal import JSON
internal import SQLite

extension JournalTables {
  private static let columns = """
    app, identifier, owner, epoch, grp, container, machine, configuration, manifests, state, created, \
    token, store
    """

  func session(_ key: SessionKey) throws(SQLiteError) -> SessionRecord? {
    try database.first(
      "SELECT \(Self.columns) FROM sessions WHERE app = ? AND identifier = ?", key.app, key.identifier
    ) { row throws(SQLiteError) in try record(row) }
  }

  func sessions() throws(SQLiteError) -> [SessionRecord] {
    try database.rows("SELECT \(Self.columns) FROM sessions ORDER BY app, identifier") { row throws(SQLiteError) in
      try record(row)
    }
  }

  private func record(_ row: borrowing Statement) throws(SQLiteError) -> SessionRecord {
    guard let configuration = try? JSONCoding.decode(SessionConfiguration.self, from: Array(row.text(at: 7).utf8)),
      let manifests = try? JSONCoding.decode([String].self, from: Array(row.text(at: 8).utf8)),
      let state = SessionRecord.State(rawValue: row.text(at: 9))
    else { throw damaged("a session") }
    var record = SessionRecord(
      key: SessionKey(app: row.text(at: 0), identifier: row.text(at: 1)), owner: row.text(at: 2),
      epoch: row.integer(at: 3), group: row.text(at: 4), container: row.text(at: 5), machine: row.text(at: 6),
      configuration: configuration, manifests: manifests)
    record.state = state
    record.createdAt = row.real(at: 10)
    record.token = row.integer(at: 11)
    record.store = row.text(at: 12)
    return record
  }

  /// The session, when the caller's epoch is not behind.
  ///
  /// - Throws: `TransferError`, or `SQLiteError`.
  func session(_ key: SessionKey, epoch: Int64) throws -> SessionRecord {
    guard let found = try session(key) else { throw TransferError.noSession(key) }
    guard epoch >= found.epoch else { throw TransferError.stale(key, epoch: epoch, current: found.epoch) }
    return found
  }

  /// Creates a session, or gives an existing one to a new owner.
  func open(_ record: SessionRecord) throws -> SessionRecord {
    var opened = record
    if let found = try session(record.key) {
      opened.epoch = try epoch(after: found, token: record.token, of: record.store)
      opened.createdAt = found.createdAt
    } else {
      let count = try database.scalar("SELECT count(*) FROM sessions WHERE app = ?", record.key.app)
      if case .integer(let count)? = count, count >= limits.sessionsPerApp {
        throw TransferError.quota(
          "The app \(record.key.app) has \(limits.sessionsPerApp) sessions.", limit: limits.sessionsPerApp)
      }
    }
    let coded = (JSONCoding.text(record.configuration), JSONCoding.text(record.manifests))
    guard let configuration = coded.0, let manifests = coded.1 else { throw damaged("a configuration") }
    try database.run(
      """
      INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        owner = excluded.owner, epoch = excluded.epoch, grp = excluded.grp, container = excluded.container,
        machine = excluded.machine, configuration = excluded.configuration, manifests = excluded.manifests,
        state = excluded.state, token = excluded.token, store = excluded.store
      """, record.key.app, record.key.identifier, record.owner, opened.epoch, record.group, record.container,
      record.machine, configuration, manifests, record.state.rawValue, opened.createdAt, record.token,
      record.store)
    return opened
  }

  /// The epoch of the owner with a lease. Tokens are compared within one store only: another one begins at 1 again.
  ///
  /// - Throws: `stale` for an older lease of the same store.
  private func epoch(after found: SessionRecord, token: Int64, of store: String) throws -> Int64 {
    guard store == found.store else { return max(token, found.epoch + 1) }
    guard token >= found.token else { throw TransferError.stale(found.key, epoch: token, current: found.epoch) }
    return token == found.token ? found.epoch : max(token, found.epoch + 1)
  }

  func set(_ state: SessionRecord.State, of key: SessionKey) throws(SQLiteError) {
    try database.run(
      "UPDATE sessions SET state = ? WHERE app = ? AND identifier = ?", state.rawValue, key.app, key.identifier)
  }

  func take(_ key: SessionKey, token: Int64, of store: String, owner: String) throws -> Int64 {
    guard let found = try session(key) else { throw TransferError.noSession(key) }
    let epoch = try epoch(after: found, token: token, of: store)
    try database.run(
      "UPDATE sessions SET epoch = ?, token = ?, store = ?, owner = ? WHERE app = ? AND identifier = ?", epoch, token,
      store, owner, key.app, key.identifier)
    return epoch
  }

  /// Removes finished tasks whose events are acknowledged, and invalidated sessions without tasks.
  func purge(_ key: SessionKey) throws(SQLiteError) {
    try database.run(
      """
      DELETE FROM tasks WHERE app = ? AND identifier = ? AND state IN ('completed', 'failed', 'cancelled')
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.task = tasks.id)
      """, key.app, key.identifier)
    try purgeSession(key)
  }

  /// The sessions of an app that have no task, and so no event; the oldest first.
  func emptySessions(of app: String) throws(SQLiteError) -> [SessionKey] {
    try database.rows(
      """
      SELECT identifier FROM sessions WHERE app = ?1 AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE tasks.app = ?1 AND tasks.identifier = sessions.identifier)
      ORDER BY created, identifier
      """, app
    ) { row throws(SQLiteError) in SessionKey(app: app, identifier: row.text(at: 0)) }
  }

  /// Removes a session with its tasks and events.
  ///
  /// - Returns: the names of files that nobody needs any more; `nil` when only an empty session was to go and it has tasks.
  func remove(_ key: SessionKey, ifEmpty: Bool) throws(SQLiteError) -> [String]? {
    let tasks = try tasks(key)
    if ifEmpty, !tasks.isEmpty { return nil }
    for table in ["events", "tasks", "sessions"] {
      try database.run("DELETE FROM \(table) WHERE app = ? AND identifier = ?", key.app, key.identifier)
    }
    return try unneeded(tasks.flatMap(\.files))
  }

  /// Removes one task if it has ended and its events are acknowledged. The session's other tasks are not read.
  func purge(task id: Int64) throws(SQLiteError) {
    try database.run(
      """
      DELETE FROM tasks WHERE id = ? AND state IN ('completed', 'failed', 'cancelled')
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.task = tasks.id)
      """, id)
  }

  /// Removes an invalidated session without tasks.
  func purgeSession(_ key: SessionKey) throws(SQLiteError) {
    try database.run(
      """
      UPDATE sessions SET state = 'invalidated' WHERE app = ?1 AND identifier = ?2 AND state = 'finishing'
        AND NOT EXISTS (SELECT 1 FROM tasks WHERE app = ?1 AND identifier = ?2
          AND state IN ('waiting', 'running', 'backingOff'))
      """, key.app, key.identifier)
    try database.run(
      """
      DELETE FROM sessions WHERE app = ?1 AND identifier = ?2 AND state = 'invalidated'
        AND NOT EXISTS (SELECT 1 FROM tasks WHERE app = ?1 AND identifier = ?2)
      """, key.app, key.identifier)
  }
}

extension JSONCoding {
  /// A value as JSON text; `nil` for one that JSON cannot hold.
  static func text(_ value: some Encodable) -> String? {
    guard let bytes = try? encode(value) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
