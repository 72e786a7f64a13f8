import Foundation
import SQLite
import TestSupport
import Testing

private let options = DatabaseOptions(applicationID: 0x414e_4e58)
private let migrations = Migrations([
  "CREATE TABLE entry (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
  "CREATE TABLE owner (id INTEGER PRIMARY KEY) STRICT; -- the second step\nALTER TABLE entry ADD COLUMN owner INTEGER REFERENCES owner (id)",
])

@Suite(.timeLimit(.minutes(1)))
struct `A database` {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `keeps what was committed`() throws {
    let path = directory.file("store.db")
    do {
      let database = try Database(path: path, options: options, migrations: migrations)
      #expect(try database.run("INSERT INTO entry (key, value) VALUES (?, ?)", "a", 1) == 1)
    }
    let database = try Database(path: path, options: options, migrations: migrations)
    #expect(try database.scalar("SELECT value FROM entry WHERE key = ?", "a") == .integer(1))
    #expect(try database.scalar("PRAGMA journal_mode") == .text("wal"))
    #expect(try database.scalar("PRAGMA user_version") == .integer(2))
    #expect(try database.scalar("PRAGMA application_id") == .integer(0x414e_4e58))
    #expect(try database.scalar("PRAGMA trusted_schema") == .integer(0))
    #expect(try database.scalar("PRAGMA foreign_keys") == .integer(1))
  }

  @Test(arguments: [(DatabaseOptions.Durability.normal, Int64(1)), (.full, 2)])
  func `has the durability that was asked for`(durability: DatabaseOptions.Durability, level: Int64) throws {
    let options = DatabaseOptions(applicationID: 1, durability: durability)
    let database = try Database(path: directory.file("store.db"), options: options, migrations: migrations)
    #expect(try database.scalar("PRAGMA synchronous") == .integer(level))
  }

  @Test func `is readable by its owner only`() throws {
    let path = directory.file("store.db")
    let database = try Database(path: path, options: options, migrations: migrations)
    try database.run("INSERT INTO entry (key) VALUES ('a')")
    for name in [path, path + "-wal", path + "-shm"] {
      let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test func `goes on from an older version`() throws {
    let path = directory.file("store.db")
    do {
      let old = Migrations([migrations.steps[0]])
      let database = try Database(path: path, options: options, migrations: old)
      try database.run("INSERT INTO entry (key, value) VALUES ('a', 1)")
    }
    let database = try Database(path: path, options: options, migrations: migrations)
    #expect(try database.scalar("SELECT owner FROM entry") == .null)
  }

  @Test func `refuses a file of a newer version`() throws {
    let path = directory.file("store.db")
    _ = try Database(path: path, options: options, migrations: migrations)
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: path, options: options, migrations: Migrations([migrations.steps[0]]))
    }
    #expect(error?.kind == .newerVersion)
    #expect(error?.message.contains("version 2") == true)
  }

  @Test func `refuses the file of another program`() throws {
    let path = directory.file("store.db")
    _ = try Database(path: path, options: DatabaseOptions(applicationID: 7), migrations: migrations)
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: path, options: options, migrations: migrations)
    }
    #expect(error?.kind == .foreignFile)
  }

  @Test(arguments: [0, 2]) func `refuses a file with tables that says of no program that it is its own`(
    version: Int
  ) throws {
    let path = directory.file("store.db")
    do {
      let database = try Database(path: path, options: options, migrations: migrations)
      try database.script("PRAGMA application_id = 0; PRAGMA user_version = \(version)")
    }
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) {
        _ = try Database(path: path, options: options, migrations: migrations)
      }
      #expect(error?.kind == .foreignFile)
    }
  }

  @Test func `undoes a migration that fails half way`() throws {
    let path = directory.file("store.db")
    let broken = Migrations([migrations.steps[0], "CREATE TABLE extra (id INTEGER) STRICT; CREATE TABLE entry (x)"])
    #expect(throws: SQLiteError.self) { _ = try Database(path: path, options: options, migrations: broken) }
    let database = try Database(path: path, options: options, migrations: migrations)
    #expect(try database.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'") == .integer(0))
  }

  @Test func `refuses a file that is no database`() throws {
    let path = directory.file("store.db")
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: path, options: options, migrations: migrations)
    }
    #expect(error?.kind == .notADatabase)
    #expect(error?.path == path)
    #expect(error?.recovery.contains(path) == true)
  }

  @Test func `says that a damaged file is damaged`() throws {
    let path = directory.file("store.db")
    do {
      let database = try Database(path: path, options: options, migrations: migrations)
      for number in 0..<500 { try database.run("INSERT INTO entry (key, value) VALUES (?, ?)", "k\(number)", number) }
      try database.script("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in 4096..<bytes.count { bytes[index] = 0xa5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLiteError.self) {
      let database = try Database(path: path, options: options, migrations: migrations)
      _ = try database.scalar("SELECT count(value) FROM entry")
    }
    #expect(error?.kind == .corrupt)
  }

  @Test func `cannot be made where nothing may be written`() throws {
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: "/proc/self/store.db", options: options, migrations: migrations)
    }
    #expect(error?.kind == .cannotOpen)
  }

  @Test func `opened for reading refuses to write`() throws {
    let path = directory.file("store.db")
    let writer = try Database(path: path, options: options, migrations: migrations)
    try writer.run("INSERT INTO entry (key, value) VALUES ('a', 1)")
    var readOnly = options
    readOnly.isReadOnly = true
    let reader = try Database(path: path, options: readOnly, migrations: migrations)
    #expect(try reader.scalar("SELECT value FROM entry") == .integer(1))
    let error = #expect(throws: SQLiteError.self) { try reader.run("DELETE FROM entry") }
    #expect(error?.kind == .readOnly)
  }

  @Test func `opened for reading is not made, nor brought to the newest version`() throws {
    let path = directory.file("store.db")
    var readOnly = options
    readOnly.isReadOnly = true
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: path, options: readOnly, migrations: migrations)
    }
    #expect(error?.kind == .cannotOpen && !FileManager.default.fileExists(atPath: path))
    let writer = try Database(path: path, options: options, migrations: Migrations([migrations.steps[0]]))
    let reader = try Database(path: path, options: readOnly, migrations: migrations)
    #expect(try reader.scalar("PRAGMA user_version") == .integer(1))
    #expect(try writer.run("INSERT INTO entry (key) VALUES ('a')") == 1)
  }

  @Test func `is full at its page limit and still reads`() throws {
    var small = options
    small.maximumPageCount = 20
    let database = try Database(path: directory.file("store.db"), options: small, migrations: migrations)
    let blob = [UInt8](repeating: 7, count: 3000)
    var stored: Int64 = 0
    let error = #expect(throws: SQLiteError.self) {
      for number in 0..<100 {
        try database.transaction { () throws(SQLiteError) in
          _ = try database.run("INSERT INTO entry (key, value) VALUES (?, ?)", "k\(number)", blob)
        }
        stored += 1
      }
    }
    #expect(error?.kind == .full)
    #expect(stored > 0)
    #expect(try database.scalar("SELECT count(*) FROM entry") == .integer(stored))
    try database.run("DELETE FROM entry WHERE key = 'k0'")
  }

  @Test func `in memory ends with its connection`() throws {
    let database = try Database.inMemory(options: options, migrations: migrations)
    try database.run("INSERT INTO entry (key) VALUES ('a')")
    let other = try Database.inMemory(options: options, migrations: migrations)
    #expect(try other.scalar("SELECT count(*) FROM entry") == .integer(0))
  }
}
