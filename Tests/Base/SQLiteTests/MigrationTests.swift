import Foundation
import SQLite
import TestSupport
import Testing

private let options = DatabaseOptions(applicationID: 0x414e_4e58)

/// The steps of a schema: each is done once, whatever version a file comes from.
@Suite(.timeLimit(.minutes(1)))
struct `The history of a schema` {
  /// Each step notes its number.
  private static let steps =
    ["CREATE TABLE log (step INTEGER) STRICT; INSERT INTO log VALUES (0)"]
    + (1..<5).map { "INSERT INTO log VALUES (\($0)); CREATE TABLE t\($0) (a INTEGER) STRICT" }

  private let directory: TemporaryDirectory
  private var path: String { directory.file("store.db") }

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ count: Int) throws -> Database {
    try Database(path: path, options: options, migrations: Migrations(Array(Self.steps.prefix(count))))
  }

  private func done(_ database: borrowing Database) throws -> [Int64] {
    guard case .integer(let count) = try database.scalar("SELECT count(*) FROM log") else { return [] }
    return try (0..<count).map { place in
      guard case .integer(let step) = try database.scalar("SELECT step FROM log LIMIT 1 OFFSET ?", place) else {
        return -1
      }
      return step
    }
  }

  @Test(arguments: 1...5, 1...5) func `goes on where a file is, and does no step twice`(from: Int, to: Int) throws {
    _ = try open(from)
    guard to >= from else {
      let error = #expect(throws: SQLiteError.self) { _ = try open(to) }
      #expect(error?.kind == .newerVersion)
      #expect(try done(open(from)) == (0..<Int64(from)).map { $0 }, "it is as it was")
      return
    }
    for _ in 0..<2 {
      let database = try open(to)
      #expect(try done(database) == (0..<Int64(to)).map { $0 })
      #expect(try database.scalar("PRAGMA user_version") == .integer(Int64(to)))
    }
  }

  @Test func `takes an empty file as its own, and gives it a version without a step`() throws {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    do {
      let database = try open(0)
      #expect(try database.scalar("PRAGMA user_version") == .integer(0))
      #expect(try database.scalar("PRAGMA application_id") == .integer(0x414e_4e58))
    }
    #expect(try done(open(2)) == [0, 1])
  }

  @Test(arguments: [(-1, SQLiteError.Kind.newerVersion), (6, .newerVersion)])
  func `refuses a version that it does not know`(version: Int, kind: SQLiteError.Kind) throws {
    do { try open(5).script("PRAGMA user_version = \(version)") }
    let error = #expect(throws: SQLiteError.self) { _ = try open(5) }
    #expect(error?.kind == kind)
  }

  /// The file of a program that had not yet given itself a number is not taken for an empty one.
  @Test(arguments: [0x414e_4e59, -1, 0])
  func `refuses the file of another program, of whatever version`(value: Int) throws {
    for version in [0, 3, 5, 6] {
      do {
        let database = try Database(
          path: path, options: DatabaseOptions(applicationID: value == 0 ? 1 : Int32(truncatingIfNeeded: value)),
          migrations: Migrations(version == 0 ? [] : Array(Self.steps.prefix(min(version, 5)))))
        try database.script(
          "CREATE TABLE other (a INTEGER) STRICT; PRAGMA application_id = \(value); PRAGMA user_version = \(version)")
      }
      let error = #expect(throws: SQLiteError.self) { _ = try open(5) }
      #expect(error?.kind == .foreignFile, "version \(version)")
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }
  }

  @Test(arguments: 1..<5) func `leaves a file as it was when a step fails`(failing: Int) throws {
    _ = try open(1)
    var steps = Self.steps
    steps[failing] += "; INSERT INTO nowhere VALUES (1)"
    for _ in 0..<2 {
      #expect(throws: SQLiteError.self) {
        _ = try Database(path: path, options: options, migrations: Migrations(steps))
      }
    }
    #expect(try done(open(1)) == [0])
    #expect(try done(open(5)) == [0, 1, 2, 3, 4])
  }

  @Test func `is gone through once by many at the same time`() async throws {
    let path = path
    let counts = try await withThrowingTaskGroup(of: SQLiteValue?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let database = try Database(path: path, options: options, migrations: Migrations(Self.steps))
          return try database.scalar("SELECT count(*) FROM log")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [SQLiteValue?](repeating: .integer(5), count: 8))
  }
}
