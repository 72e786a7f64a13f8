import SQLite
import TestSupport
import Testing

private let options = DatabaseOptions(applicationID: 5)
private let migrations = Migrations(["CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT"])

/// A store as the program has them: a database on a thread of its own.
private actor Store {
  nonisolated let thread: SQLiteThread
  let path: String
  let busyTimeout: Duration
  private var database: Database?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(path: String, name: String, busyTimeout: Duration = .seconds(5)) {
    self.path = path
    self.busyTimeout = busyTimeout
    thread = SQLiteThread(name: name)
  }

  func open() throws {
    var own = options
    own.busyTimeout = busyTimeout
    database = try Database(path: path, options: own, migrations: migrations)
  }

  func increment(times: Int) throws {
    for _ in 0..<times {
      try database?.transaction { () throws(SQLiteError) in
        let found = try self.database?.scalar("SELECT value FROM counter WHERE id = 1")
        guard case .integer(let value) = found ?? .null else {
          try self.database?.run("INSERT INTO counter VALUES (1, 1)")
          return
        }
        try self.database?.run("UPDATE counter SET value = ? WHERE id = 1", value + 1)
      }
    }
  }

  func value() throws -> SQLiteValue? { try database?.scalar("SELECT value FROM counter WHERE id = 1") }
  func script(_ sql: String) throws { try database?.script(sql) }
  func isOnItsThread() -> Bool? { thread.isIsolatingCurrentContext() }
}

@Suite(.timeLimit(.minutes(1)))
struct `A transaction` {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `loses nothing when two connections write at once`() async throws {
    let path = directory.file("store.db")
    try await withThrowingTaskGroup { group in
      for number in 0..<2 {
        group.addTask {
          let store = Store(path: path, name: "store \(number)")
          try await store.open()
          try await store.increment(times: 200)
        }
      }
      try await group.waitForAll()
    }
    let store = Store(path: path, name: "reader")
    try await store.open()
    #expect(try await store.value() == .integer(400))
  }

  @Test func `is undone whole when its body fails`() throws {
    struct Refused: Error {}
    let database = try Database.inMemory(options: options, migrations: migrations)
    #expect(throws: Refused.self) {
      try database.atomically {
        try database.run("INSERT INTO counter VALUES (1, 1)")
        throw Refused()
      }
    }
    #expect(try database.scalar("SELECT count(*) FROM counter") == .integer(0))
    try database.transaction { () throws(SQLiteError) in _ = try database.run("INSERT INTO counter VALUES (1, 2)") }
    #expect(try database.scalar("SELECT value FROM counter") == .integer(2))
  }

  @Test func `is refused as busy after the timeout when another holds the lock`() async throws {
    let path = directory.file("store.db")
    let holder = Store(path: path, name: "holder")
    let waiter = Store(path: path, name: "waiter", busyTimeout: .milliseconds(50))
    try await holder.open()
    try await waiter.open()
    try await holder.script("BEGIN IMMEDIATE")
    let error = await #expect(throws: SQLiteError.self) { try await waiter.increment(times: 1) }
    #expect(error?.kind == .busy)
    try await holder.script("ROLLBACK")
    try await waiter.increment(times: 1)
    #expect(try await holder.value() == .integer(1))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A database thread` {
  @Test func `runs its actor and nobody else`() async {
    let store = Store(path: ":memory:", name: "store")
    #expect(await store.isOnItsThread() == true)
    #expect(store.thread.isIsolatingCurrentContext() == false)
  }

  @Test func `serves many actors that come and go`() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          let store = Store(path: ":memory:", name: "store \(number)")
          try await store.open()
          try await store.increment(times: 3)
          #expect(try await store.value() == .integer(3))
        }
      }
      try await group.waitForAll()
    }
  }
}
