import SQLite
import Time

/// The tables of the store in one open database. Belongs to the store's thread.
///
/// It is a class because it is kept in an optional and a database cannot be copied.
final class GroupTables {
  let database: Database
  private let limits: BackendLimits

  init(path: String, options: DatabaseOptions, limits: BackendLimits) throws(SQLiteError) {
    database = try Database(path: path, options: options, migrations: Self.migrations)
    self.limits = limits
  }

  // MARK: Reading

  func identity() throws(SQLiteError) -> StoreID {
    guard case .text(let text)? = try database.scalar("SELECT id FROM identity") else {
      throw SQLiteError(kind: .corrupt, message: "The store has no identity.", path: database.path)
    }
    return StoreID(text)
  }

  func entry(_ key: String, in suite: SuiteID) throws(SQLiteError) -> Versioned? {
    try database.first(
      "SELECT value, revision FROM items WHERE suite = ? AND key = ? AND value IS NOT NULL", suite.name, key
    ) { row throws(SQLiteError) in Versioned(bytes: row.blob(at: 0), revision: row.integer(at: 1)) }
  }

  /// Returns every key. One statement reads them, so that all are of one moment.
  func snapshot(_ suite: SuiteID) throws(SQLiteError) -> SuiteState {
    var state = SuiteState()
    _ = try database.rows(
      """
      SELECT s.revision, i.key, i.value, i.revision
      FROM suites s LEFT JOIN items i ON i.suite = s.name AND i.value IS NOT NULL WHERE s.name = ?
      """, suite.name
    ) { row throws(SQLiteError) in
      state.revision = row.integer(at: 0)
      if row.isNull(at: 1) { return }
      state.entries[row.text(at: 1)] = Versioned(bytes: row.blob(at: 2), revision: row.integer(at: 3))
    }
    return state
  }

  func loudRevision(_ suite: SuiteID) throws(SQLiteError) -> Int64 {
    try database.first("SELECT loud FROM suites WHERE name = ?", suite.name) { row throws(SQLiteError) in
      row.integer(at: 0)
    } ?? 0
  }

  /// Returns the changes. One statement reads them, so that all are of one moment.
  func delta(_ suite: SuiteID, after revision: Int64) throws(SQLiteError) -> ChangeBatch {
    var (through, compacted): (Int64, Int64) = (0, 0)
    var changes: [Change] = []
    _ = try database.rows(
      """
      SELECT s.revision, s.compacted, i.key, i.value, i.revision
      FROM suites s LEFT JOIN items i ON i.suite = s.name AND i.revision > ? WHERE s.name = ?
      ORDER BY i.revision, i.key
      """, revision, suite.name
    ) { row throws(SQLiteError) in
      (through, compacted) = (row.integer(at: 0), row.integer(at: 1))
      if row.isNull(at: 2) { return }
      changes.append(
        Change(
          key: row.text(at: 2), bytes: row.isNull(at: 3) ? nil : row.blob(at: 3), revision: row.integer(at: 4)))
    }
    if revision == through { return .changed([], through: through) }
    return revision < compacted || revision > through
      ? .compacted(through: through) : .changed(changes, through: through)
  }

  /// Returns SQLite's description of damage to the file; `nil` when it is sound. It reads every page, because a read of
  /// some keys does not find a damaged page elsewhere.
  func damage() throws(SQLiteError) -> String? {
    switch try database.scalar("PRAGMA integrity_check(1)") {
    case .text("ok"): nil
    case .text(let damage): damage
    default: "The check said nothing."
    }
  }

  // MARK: Writing

  /// Applies one write of a transaction, completely or not at all.
  ///
  /// - Throws: `GroupStoreError` when the write is refused, after which the transaction continues; `SQLiteError` when
  ///   the transaction fails.
  func apply(_ write: GroupWrite, clock: BootClock) throws -> (revision: Int64, changes: [Change]) {
    try database.run("SAVEPOINT one")
    do {
      let result = try applyAlone(write, clock: clock)
      try database.run("RELEASE one")
      return result
    } catch let error as GroupStoreError {
      try database.run("ROLLBACK TO one")
      try database.run("RELEASE one")
      throw error
    }
  }

  /// The only write of a transaction, which is rolled back when it fails.
  ///
  /// - Throws: as ``apply(_:clock:)``.
  func applyAlone(
    _ write: GroupWrite, clock: BootClock
  ) throws -> (revision: Int64, changes: [Change]) {
    if let fence = write.fence, try lease(fence.name)?.isHeld(by: fence, clock) != true {
      throw GroupStoreError.fenced(lease: fence.name)
    }
    for condition in write.require { try check(condition, in: write.suite) }
    let before = try database.first("SELECT revision, bytes FROM suites WHERE name = ?", write.suite.name) {
      row throws(SQLiteError) in (revision: row.integer(at: 0), bytes: Int(row.integer(at: 1)))
    }
    guard !write.changes.isEmpty else { return (before?.revision ?? 0, []) }
    let revision = (before?.revision ?? 0) + 1
    if before == nil { try database.run("INSERT INTO suites VALUES (?, 0, 0, 0, 0)", write.suite.name) }
    var growth = 0
    var changes: [Change] = []
    for mutation in write.changes {
      try limits.check(mutation, in: write.suite)
      growth += try apply(mutation, to: write.suite, revision, &changes)
    }
    let bytes = (before?.bytes ?? 0) + growth
    try limits.check(bytes: bytes, grownBy: growth, in: write.suite)
    try database.run(
      "UPDATE suites SET revision = ?1, bytes = ?2, loud = iif(?3, loud, ?1) WHERE name = ?4", revision, bytes,
      write.isQuiet ? 1 : 0, write.suite.name)
    if changes.contains(where: { $0.bytes == nil }) { try compact(write.suite) }
    return (revision, RecentChanges.merged(changes))
  }

  private func check(_ condition: Condition, in suite: SuiteID) throws {
    let (key, expected) =
      switch condition {
      case .absent(let key): (key, Int64(0))
      case .revision(let key, let revision): (key, revision)
      }
    let found = try entry(key, in: suite)?.revision ?? 0
    if found != expected { throw GroupStoreError.conflict(key: key, revision: found) }
  }

  /// - Returns: by how many bytes the suite grows.
  private func apply(
    _ mutation: Mutation, to suite: SuiteID, _ revision: Int64, _ changes: inout [Change]
  ) throws(SQLiteError) -> Int {
    switch mutation {
    case .set(let key, let bytes):
      changes.append(Change(key: key, bytes: bytes, revision: revision))
      return try put(key, bytes, in: suite, revision)
    case .remove(let key):
      changes.append(Change(key: key, bytes: nil, revision: revision))
      return try put(key, nil, in: suite, revision)
    case .removeAll:
      let keys = try database.rows(
        "SELECT key FROM items WHERE suite = ? AND value IS NOT NULL ORDER BY key", suite.name
      ) { row throws(SQLiteError) in row.text(at: 0) }
      var growth = 0
      for key in keys { growth += try apply(.remove(key), to: suite, revision, &changes) }
      return growth
    }
  }

  private func put(
    _ key: String, _ bytes: [UInt8]?, in suite: SuiteID, _ revision: Int64
  ) throws(SQLiteError) -> Int {
    let size = try database.first(
      "SELECT length(value) FROM items WHERE suite = ? AND key = ? AND value IS NOT NULL", suite.name, key
    ) { row throws(SQLiteError) in Int(row.integer(at: 0)) + key.utf8.count }
    try database.run(
      """
      INSERT INTO items VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET value = excluded.value, revision = excluded.revision
      """, suite.name, key, bytes, revision)
    return (bytes.map { key.utf8.count + $0.count } ?? 0) - (size ?? 0)
  }

  /// Forgets the oldest removed keys when there are too many.
  private func compact(_ suite: SuiteID) throws(SQLiteError) {
    let oldest = try database.rows(
      "SELECT revision FROM items WHERE suite = ? AND value IS NULL ORDER BY revision DESC LIMIT -1 OFFSET ?",
      suite.name,
      limits.maxTombstones
    ) { row throws(SQLiteError) in row.integer(at: 0) }
    guard let bound = oldest.first else { return }
    try database.run("DELETE FROM items WHERE suite = ? AND value IS NULL AND revision <= ?", suite.name, bound)
    try database.run("UPDATE suites SET compacted = ? WHERE name = ?", bound, suite.name)
  }
}

extension GroupTables {
  /// "Anx1", the mark of our files.
  static let applicationID: Int32 = 0x416E_7831

  /// A removed key keeps its row, without a value, so that watchers learn of it.
  static let migrations = Migrations([
    """
    CREATE TABLE suites (
      name TEXT PRIMARY KEY, revision INTEGER NOT NULL, bytes INTEGER NOT NULL, compacted INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE items (
      suite TEXT NOT NULL REFERENCES suites (name), key TEXT NOT NULL, value BLOB, revision INTEGER NOT NULL,
      PRIMARY KEY (suite, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX items_by_revision ON items (suite, revision);
    CREATE TABLE leases (
      name TEXT PRIMARY KEY, owner TEXT, token INTEGER NOT NULL, boot TEXT NOT NULL, ends INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE identity (id TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));
    """,
    """
    ALTER TABLE suites ADD COLUMN loud INTEGER NOT NULL DEFAULT 0;
    UPDATE suites SET loud = revision;
    """,
  ])
}

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
