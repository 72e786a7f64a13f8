internal import HTTPClient
internal import JSON
internal import SQLite

extension JournalTables {
  private static let columns = """
    id, app, identifier, kind, url, method, headers, destination, sha256, source, state, done, expected, attempts, \
    wait, wait_boot, wait_since, wait_wall, life, life_boot, life_since, life_wall, part, told, status
    """

  func task(_ id: Int64) throws(SQLiteError) -> TransferRecord? {
    try database.first("SELECT \(Self.columns) FROM tasks WHERE id = ?", id) { row throws(SQLiteError) in
      try record(row)
    }
  }

  func tasks(_ key: SessionKey) throws(SQLiteError) -> [TransferRecord] {
    try database.rows(
      "SELECT \(Self.columns) FROM tasks WHERE app = ? AND identifier = ? ORDER BY id", key.app, key.identifier
    ) { row throws(SQLiteError) in try record(row) }
  }

  /// The tasks after one that are not over, in the order of their ids.
  func unfinished(after id: Int64) throws(SQLiteError) -> [TransferRecord] {
    try database.rows(
      """
      SELECT \(Self.columns) FROM tasks
      WHERE id > ? AND state IN ('waiting', 'running', 'backingOff') ORDER BY id
      """, id
    ) { row throws(SQLiteError) in try record(row) }
  }

  /// The ids of the tasks that are not over.
  func unfinishedIDs() throws(SQLiteError) -> [Int64] {
    try database.rows("SELECT id FROM tasks WHERE state IN ('waiting', 'running', 'backingOff')") {
      row throws(SQLiteError) in row.integer(at: 0)
    }
  }

  /// The names of all files that tasks need: parts and copies of sources.
  func files() throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    _ = try database.rows("SELECT source, part FROM tasks WHERE source IS NOT NULL OR part IS NOT NULL") {
      row throws(SQLiteError) in
      if !row.isNull(at: 0) { names.insert(row.text(at: 0)) }
      if !row.isNull(at: 1), let part = try part(row, at: 1) { names.insert(part.name) }
    }
    return names
  }

  /// The names of the copies of one size that an app's tasks upload.
  func sources(of app: String, size: Int64) throws(SQLiteError) -> [String] {
    try database.rows(
      "SELECT DISTINCT source FROM tasks WHERE app = ? AND source_bytes = ? AND source IS NOT NULL", app, size
    ) { row throws(SQLiteError) in row.text(at: 0) }
  }

  /// Whether a task uploads a copy.
  func isSource(_ name: String) throws(SQLiteError) -> Bool {
    try database.scalar("SELECT 1 FROM tasks WHERE source = ? LIMIT 1", name) != nil
  }

  /// The files that no task uploads: several may upload one copy.
  func unneeded(_ files: [String]) throws(SQLiteError) -> [String] {
    var names: [String] = []
    for name in files where try !isSource(name) { names.append(name) }
    return names
  }

  /// The bytes of an app's copies, each counted once.
  func copiedBytes(of app: String) throws(SQLiteError) -> Int64 {
    try bytes(
      """
      SELECT coalesce(sum(bytes), 0) FROM (
        SELECT max(source_bytes) AS bytes FROM tasks WHERE app = ? AND source IS NOT NULL GROUP BY source)
      """, app)
  }

  /// The bytes that are there of an app's downloads, but of one task.
  func partBytes(of app: String, except task: Int64) throws(SQLiteError) -> Int64 {
    try bytes(
      """
      SELECT coalesce(sum(done), 0) FROM tasks WHERE app = ? AND part IS NOT NULL AND id <> ?
        AND state IN ('waiting', 'running', 'backingOff')
      """, app, task)
  }

  private func bytes(_ query: String, _ app: String, _ task: Int64? = nil) throws(SQLiteError) -> Int64 {
    let sum = if let task { try database.scalar(query, app, task) } else { try database.scalar(query, app) }
    guard case .integer(let bytes)? = sum else { return .max }
    return bytes
  }

  private func part(_ row: borrowing Statement, at column: Int) throws(SQLiteError) -> TransferRecord.Part? {
    if row.isNull(at: column) { return nil }
    guard
      let part = try? JSONCoding.decode(TransferRecord.Part.self, from: Array(row.text(at: column).utf8)),
      part.bytes >= 0, part.durableBytes >= 0, part.total ?? 0 >= 0, JournalFolder.isName(part.name)
    else { throw damaged("a part") }
    return part
  }

  private func record(_ row: borrowing Statement) throws(SQLiteError) -> TransferRecord {
    guard let kind = TransferRecord.Kind(rawValue: row.text(at: 3)),
      let state = TransferRecord.State(rawValue: row.text(at: 10)),
      let headers = try? JSONCoding.decode(HTTPFields.self, from: Array(row.text(at: 6).utf8))
    else { throw damaged("a task") }
    var record = TransferRecord(
      id: row.integer(at: 0), session: SessionKey(app: row.text(at: 1), identifier: row.text(at: 2)), kind: kind,
      request: TransferRequest(url: row.text(at: 4), method: row.text(at: 5), headers: headers),
      deadline: countdown(row, at: 18))
    record.destination = row.isNull(at: 7) ? nil : row.text(at: 7)
    record.sha256 = row.isNull(at: 8) ? nil : row.text(at: 8)
    record.source = row.isNull(at: 9) ? nil : row.text(at: 9)
    record.state = state
    record.bytesDone = row.integer(at: 11)
    record.bytesExpected = row.isNull(at: 12) ? nil : row.integer(at: 12)
    record.attempts = Int(row.integer(at: 13))
    record.notBefore = row.isNull(at: 14) ? nil : countdown(row, at: 14)
    record.part = try part(row, at: 22)
    record.hasToldOfWaiting = row.integer(at: 23) != 0
    record.status = row.isNull(at: 24) ? nil : Int(row.integer(at: 24))
    return record
  }

  private func countdown(_ row: borrowing Statement, at column: Int) -> Countdown {
    Countdown(
      .nanoseconds(row.integer(at: column)),
      from: TransferInstant(
        boot: row.text(at: column + 1), sinceBoot: row.integer(at: column + 2), wall: row.integer(at: column + 3)))
  }

  // MARK: Writing

  /// - Parameters:
  ///   - source: the copy of what is uploaded, with its size.
  ///   - limit: what the app's copies may come to, for one that is new.
  /// - Throws: `TransferError`, or `SQLiteError`.
  func add(
    _ draft: TransferDraft, to session: SessionRecord, source: JournalFolder.Copy?, limit: Int64 = .max,
    now: TransferInstant
  ) throws -> Int64 {
    let key = session.key
    guard session.state == .open else { throw TransferError.noSession(key) }
    let count = try database.scalar(
      "SELECT count(*) FROM tasks WHERE app = ? AND identifier = ?", key.app, key.identifier)
    if case .integer(let count)? = count, count >= limits.tasksPerSession {
      throw TransferError.quota("The session \(key) has \(count) tasks.", limit: limits.tasksPerSession)
    }
    if let source, limit < .max {
      let kept = try copiedBytes(of: key.app)
      guard source.size <= limit, kept <= limit - source.size else {
        throw TransferError.sources(of: key.app, limit: limit)
      }
    }
    guard let headers = JSONCoding.text(draft.request.headers) else { throw damaged("a header") }
    guard draft.request.url.utf8.count + headers.utf8.count <= limits.requestBytes else {
      throw TransferError.quota(
        "The request has more than \(limits.requestBytes) bytes.", limit: limits.requestBytes)
    }
    let (kind, destination): (TransferRecord.Kind, String?) =
      switch draft.body {
      case .download(let destination): (.download, destination)
      case .upload: (.upload, nil)
      }
    let id = try nextNumber("task")
    try database.run(
      """
      INSERT INTO tasks (id, app, identifier, kind, url, method, headers, destination, sha256, source, source_bytes,
        state, expected, life, life_boot, life_since, life_wall)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?)
      """, id, key.app, key.identifier, kind.rawValue, draft.request.url, draft.request.method, headers, destination,
      draft.sha256, source?.name, source?.size, source?.size,
      session.configuration.timeoutForResource.clampedNanoseconds, now.boot, now.sinceBoot, now.wall)
    return id
  }

  /// Stores the progress of a task, unless the task has ended.
  ///
  /// - Returns: whether the progress was stored.
  @discardableResult
  func keep(_ record: TransferRecord) throws(SQLiteError) -> Bool {
    let wait = record.notBefore
    let part = record.part.map { JSONCoding.text($0) ?? "" }
    return try database.run(
      """
      UPDATE tasks SET state = ?, done = ?, expected = ?, attempts = ?, wait = ?, wait_boot = ?, wait_since = ?,
        wait_wall = ?, part = ?, told = ?, status = ?
      WHERE id = ? AND state IN ('waiting', 'running', 'backingOff')
      """, record.state.rawValue, record.bytesDone, record.bytesExpected, record.attempts,
      wait?.length.clampedNanoseconds, wait?.start.boot, wait?.start.sinceBoot, wait?.start.wall, part,
      record.hasToldOfWaiting, record.status, record.id) > 0
  }

  /// Ends a task and records the events for its owner. The task's files are no longer needed.
  ///
  /// - Returns: whether the task had not ended before.
  func end(
    _ record: TransferRecord, as state: TransferRecord.State, _ news: [TransferNews]
  ) throws(SQLiteError) -> Bool {
    var record = record
    (record.state, record.part, record.notBefore) = (state, nil, nil)
    guard try keep(record) else { return false }
    try database.run("UPDATE tasks SET source = NULL WHERE id = ?", record.id)
    for one in news { try tell(one, of: record.id, record.session) }
    return true
  }
}

extension Duration {
  var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || second ? (seconds < 0 ? .min : .max) : sum
  }
}
