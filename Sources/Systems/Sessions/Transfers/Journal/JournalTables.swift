internal import SQLite

/// The tables of the journal in one open database. Belongs to the journal's thread.
///
/// It is a class because it is kept in an optional and a database cannot be copied.
final class JournalTables {
  /// "AnxT", the mark of our files.
  static let applicationID: Int32 = 0x416E_7854

  let database: Database
  let limits: JournalLimits

  /// - Parameter firstNumber: what the numbers of tasks and events of a new file begin at.
  init(path: String, options: DatabaseOptions, limits: JournalLimits, firstNumber: Int64) throws(SQLiteError) {
    database = try Database(path: path, options: options, migrations: Self.migrations)
    self.limits = limits
    if try database.scalar("SELECT task FROM numbers") == nil {
      try database.run("INSERT INTO numbers SELECT ?1, ?1 WHERE NOT EXISTS (SELECT 1 FROM numbers)", firstNumber)
    }
  }

  static let migrations = Migrations([
    """
    CREATE TABLE numbers (task INTEGER NOT NULL, event INTEGER NOT NULL) STRICT;
    CREATE TABLE sessions (
      app TEXT NOT NULL, identifier TEXT NOT NULL, owner TEXT NOT NULL, epoch INTEGER NOT NULL, grp TEXT NOT NULL,
      container TEXT NOT NULL, machine TEXT NOT NULL, configuration TEXT NOT NULL, manifests TEXT NOT NULL,
      state TEXT NOT NULL, created REAL NOT NULL,
      PRIMARY KEY (app, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tasks (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, identifier TEXT NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
      method TEXT NOT NULL, headers TEXT NOT NULL, destination TEXT, sha256 TEXT, source TEXT, source_bytes INTEGER,
      state TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0, expected INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
      wait INTEGER, wait_boot TEXT, wait_since INTEGER, wait_wall INTEGER,
      life INTEGER NOT NULL, life_boot TEXT NOT NULL, life_since INTEGER NOT NULL, life_wall INTEGER NOT NULL,
      part TEXT, told INTEGER NOT NULL DEFAULT 0, status INTEGER,
      FOREIGN KEY (app, identifier) REFERENCES sessions (app, identifier)
    ) STRICT;
    CREATE INDEX tasks_by_session ON tasks (app, identifier);
    CREATE INDEX tasks_by_state ON tasks (state);
    CREATE TABLE events (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, identifier TEXT NOT NULL,
      task INTEGER NOT NULL REFERENCES tasks (id), kind TEXT NOT NULL, path TEXT, response TEXT, error TEXT
    ) STRICT;
    CREATE INDEX events_by_session ON events (app, identifier);
    CREATE INDEX events_by_task ON events (task);
    """,
    // Of a session that an older version began the store is not known: its epoch goes on growing.
    """
    ALTER TABLE sessions ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN store TEXT NOT NULL DEFAULT '';
    UPDATE sessions SET token = epoch;
    """,
    "CREATE INDEX tasks_by_source ON tasks (source) WHERE source IS NOT NULL;",
  ])

  /// The state of the file, which changes with the commits of other connections.
  func version() throws(SQLiteError) -> Int64 {
    guard case .integer(let version)? = try database.scalar("PRAGMA data_version") else { return 0 }
    return version
  }

  func nextNumber(_ column: String) throws(SQLiteError) -> Int64 {
    guard case .integer(let number)? = try database.scalar("SELECT \(column) FROM numbers") else {
      throw SQLiteError(kind: .corrupt, message: "The journal has lost its numbers.", path: database.path)
    }
    try database.run("UPDATE numbers SET \(column) = ?", number + 1)
    return number
  }

  func damaged(_ what: String) -> SQLiteError {
    SQLiteError(kind: .corrupt, message: "The journal holds \(what) that cannot be read.", path: database.path)
  }
}
