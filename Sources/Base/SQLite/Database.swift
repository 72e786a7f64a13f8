internal import CSQLite
internal import Glibc

/// One connection to one SQLite file. Every call blocks: keep it in an actor whose executor is a `SQLiteThread`.
///
/// A file made here is in write-ahead-log mode, readable by its owner only, and carries the application id of the
/// options and the version of the migrations. Statements are prepared once and used again.
package struct Database: ~Copyable {
  /// The path of the file, or ":memory:".
  package let path: String
  private let connection: DatabaseHandle

  /// Opens or creates a file and brings its schema to the newest version.
  ///
  /// - Throws: `cannotOpen`, `readOnly`, `notADatabase`, `corrupt`; `foreignFile` for the file of another program;
  ///   `newerVersion` when the file knows more steps than `migrations`; `busy` when another process holds the file.
  package init(path: String, options: DatabaseOptions, migrations: Migrations) throws(SQLiteError) {
    self = try Self.open(path: path, options: options, migrations: migrations)
  }

  private init(path: String, connection: DatabaseHandle) {
    self.path = path
    self.connection = connection
  }

  /// Opens a database in memory; it ends with the connection.
  package static func inMemory(options: DatabaseOptions, migrations: Migrations) throws(SQLiteError) -> Database {
    try Database(path: ":memory:", options: options, migrations: migrations)
  }

  /// Prepares one statement, or takes the one that was prepared before.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: connection)
  }

  /// Runs one statement to its end and gives the number of rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: any SQLiteBindable...) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
    return connection.changes
  }

  /// Runs one statement and makes a value of each row.
  package func rows<Value>(
    _ sql: String, _ values: any SQLiteBindable..., row: (borrowing Statement) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var result: [Value] = []
    while try statement.step() { result.append(try row(statement)) }
    return result
  }

  /// Runs one statement and makes a value of its first row; nil when there is none.
  package func first<Value>(
    _ sql: String, _ values: any SQLiteBindable..., row: (borrowing Statement) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    let statement = try prepare(sql)
    try statement.bind(values)
    guard try statement.step() else { return nil }
    return try row(statement)
  }

  /// The first column of the first row; nil when there is no row.
  package func scalar(_ sql: String, _ values: any SQLiteBindable...) throws(SQLiteError) -> SQLiteValue? {
    let statement = try prepare(sql)
    try statement.bind(values)
    guard try statement.step() else { return nil }
    return statement.value(at: 0)
  }

  /// Runs a text of any number of statements without parameters.
  package func script(_ sql: String) throws(SQLiteError) {
    var rest = sql[...]
    while !rest.isEmpty {
      let (handle, tail) = try unsafe connection.prepare(rest)
      guard let handle = unsafe handle else {
        if tail.startIndex == rest.startIndex { return }
        rest = tail
        continue
      }
      defer { unsafe sqlite3_finalize(handle) }
      var code = unsafe sqlite3_step(handle)
      while code == SQLITE_ROW { code = unsafe sqlite3_step(handle) }
      guard code == SQLITE_DONE else { throw connection.failure(code, sql: String(rest)) }
      rest = tail
    }
  }

  /// The row id of the last insertion on this connection.
  package var lastInsertedRow: Int64 { connection.lastInsertedRow }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT; rolls back when it throws. Does not nest.
  ///
  /// - Throws: what `body` throws, or the error of BEGIN or COMMIT; nothing of the body is then stored.
  @discardableResult
  package func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
    do {
      return try atomically(body)
    } catch let error as SQLiteError {
      throw error
    } catch {
      preconditionFailure("a transaction throws errors of SQLite")
    }
  }

  /// The same as `transaction` for a body with errors of its own, such as a quota.
  @discardableResult
  package func atomically<Value>(_ body: () throws -> Value) throws -> Value {
    try begin()
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  private func begin() throws(SQLiteError) {
    precondition(!connection.isInTransaction, "a transaction does not nest")
    try run("BEGIN IMMEDIATE")
  }

  /// A full disk or a damaged file may have rolled back already. A second failure tells nothing new.
  private func rollBack() {
    if connection.isInTransaction { _ = try? run("ROLLBACK") }
  }
}

extension Database {
  private static func open(
    path: String, options: DatabaseOptions, migrations: Migrations
  ) throws(SQLiteError) -> Database {
    precondition(!path.utf8.contains(0), "a path holds no NUL")
    if path != ":memory:", !options.isReadOnly { createPrivately(path) }
    let database = Database(path: path, connection: try DatabaseHandle(path: path, isReadOnly: options.isReadOnly))
    database.connection.setBusyTimeout(options.busyTimeout)
    try database.script("PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON")
    try database.check(applicationID: options.applicationID, migrations)
    if !options.isReadOnly {
      try database.enterWriteAheadLog(within: options.busyTimeout)
      try database.script("PRAGMA synchronous = \(options.durability.rawValue); PRAGMA wal_autocheckpoint = 1000")
      try database.migrate(migrations, applicationID: options.applicationID)
    }
    if let pages = options.maximumPageCount { try database.script("PRAGMA max_page_count = \(pages)") }
    return database
  }

  /// Makes an empty file of mode 0600: SQLite would use the umask, and gives the log the mode of the file.
  /// A failure is left to SQLite, which reports it when it opens the file. A file that exists is left alone: closing it
  /// would drop the locks that another connection of this process has on it.
  private static func createPrivately(_ path: String) {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// The switch to the log is refused as busy whatever the busy timeout, so it has a loop of its own; later opens find
  /// the mode in the file and only read it.
  private func enterWriteAheadLog(within timeout: Duration) throws(SQLiteError) {
    if path == ":memory:" { return }
    let clock = ContinuousClock()
    let deadline = clock.now + timeout
    while true {
      do throws(SQLiteError) {
        if try scalar("PRAGMA journal_mode") == .text("wal") { return }
        let mode = try scalar("PRAGMA journal_mode = WAL")
        guard mode == .text("wal") else {
          throw SQLiteError(kind: .cannotOpen, message: "The file system of \(path) has no shared memory.", path: path)
        }
        return
      } catch {
        guard error.kind == .busy, clock.now < deadline else { throw error }
        usleep(UInt32.random(in: 1_000...10_000))
      }
    }
  }
}

/// The library underneath.
package enum SQLiteLibrary {
  /// The version in use, for example `3.40.1`.
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
