import Files
import SQLite
import TestSupport
import Testing

/// One object as another process would have it: a connection, a gate and an identity of its own.
private func shared(
  _ path: String, timeout: Duration = .seconds(5), isListening: Bool = false,
  heard: @escaping @Sendable () -> Void = {}
) -> SharedFile<Box> {
  SharedFile(
    .init(name: "test store", path: path, timeout: timeout, pollInterval: .milliseconds(20)), isListening: isListening,
    heard: heard
  ) { () throws(SQLiteError) in try Box(path) }
}

private final class Box {
  let database: Database

  init(_ path: String) throws(SQLiteError) {
    database = try Database(
      path: path, options: DatabaseOptions(applicationID: 7, busyTimeout: .milliseconds(50)),
      migrations: Migrations(["CREATE TABLE note (text TEXT) STRICT"]))
  }

  func add(_ text: String) throws(SQLiteError) { try database.run("INSERT INTO note VALUES (?)", text) }

  func notes() throws(SQLiteError) -> [String] {
    try database.rows("SELECT text FROM note ORDER BY rowid") { row throws(SQLiteError) in row.text(at: 0) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A file that processes share` {
  let directory: TemporaryDirectory
  var path: String { directory.file("test.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func `is made at the first use, and what one writes the other reads`() throws {
    let (one, two) = (shared(path), shared(path))
    #expect(FileIdentity(path: path) == nil)
    try one.atGate { box throws(SQLiteError) in try box.add("a") }
    #expect(try two.read { box throws(SQLiteError) in try box.notes() } == ["a"])
    #expect(one.openings == 1 && two.openings == 1)
  }

  @Test func `is opened while nobody else writes, and not made before`() throws {
    let gate = try DatabaseGate(path: "\(path).gate", timeout: .seconds(5))
    try gate.take()
    let file = shared(path, timeout: .milliseconds(50))
    for _ in 0..<2 {
      #expect(throws: StoreFailure.self) { try file.read { box throws(SQLiteError) in try box.notes() } }
      #expect(FileIdentity(path: path) == nil && file.openings == 0)
    }
    gate.give()
    #expect(try file.read { box throws(SQLiteError) in try box.notes() } == [] && file.openings == 1)
  }

  @Test(arguments: [false, true]) func `is set aside when it is damaged, and the next call makes a new one`(
    isWrite: Bool
  ) throws {
    try File.replace(path, with: [UInt8]("this is no database".utf8))
    let file = shared(path)
    let failure = #expect(throws: StoreFailure.self) {
      if isWrite {
        try file.atGate { box throws(SQLiteError) in try box.add("a") }
      } else {
        _ = try file.read { box throws(SQLiteError) in try box.notes() }
      }
    }
    guard case .damaged(let message, let aside?)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(message.hasPrefix("The test store \(path) is damaged: "))
    #expect(DamagedDatabase.all(beside: path) == [aside])
    #expect(try file.read { box throws(SQLiteError) in try box.notes() } == [])
  }

  @Test(arguments: [false, true]) func `is closed and set aside when damage is found while it is open`(
    isWrite: Bool
  ) throws {
    let file = shared(path)
    try file.atGate { box throws(SQLiteError) in try box.add("a") }
    let damage = SQLiteError(kind: .corrupt, message: "A page is torn.", path: path)
    let failure = #expect(throws: StoreFailure.self) {
      if isWrite {
        try file.atGate { _ throws(SQLiteError) in throw damage }
      } else {
        try file.read { _ throws(SQLiteError) in throw damage }
      }
    }
    let aside = DamagedDatabase.all(beside: path)
    #expect(aside.count == 1)
    #expect(failure == .damaged("The test store \(path) is damaged: A page is torn.", setAside: aside.first))
    #expect(try file.read { box throws(SQLiteError) in try box.notes() } == [])
    #expect(file.openings == 2)
    // The gate was given back.
    try shared(path, timeout: .milliseconds(50)).atGate { box throws(SQLiteError) in try box.add("b") }
  }

  @Test func `is set aside by one process alone`() throws {
    let (one, two) = (shared(path), shared(path))
    for file in [one, two] { try file.atGate { box throws(SQLiteError) in try box.add("a") } }
    let damage = SQLiteError(kind: .corrupt, message: "A page is torn.", path: path)
    // Both find the damage; the second has the old file open still when the first has replaced it.
    var failures: [StoreFailure] = []
    do throws(StoreFailure) {
      try two.read { _ throws(SQLiteError) in
        do throws(StoreFailure) {
          try one.read { _ throws(SQLiteError) in throw damage }
        } catch {
          failures.append(error)
        }
        throw damage
      }
    } catch {
      failures.append(error)
    }
    let aside = DamagedDatabase.all(beside: path)
    #expect(aside.count == 1)
    let failure = StoreFailure.damaged("The test store \(path) is damaged: A page is torn.", setAside: aside.first)
    #expect(failures == [failure, failure])
  }

  @Test func `is opened again when another process has replaced it`() throws {
    let file = shared(path)
    try file.atGate { box throws(SQLiteError) in try box.add("a") }
    for suffix in ["", "-wal", "-shm"] { File.remove(path + suffix) }
    #expect(try file.read { box throws(SQLiteError) in try box.notes() } == [])
    for suffix in ["", "-wal", "-shm"] { File.remove(path + suffix) }
    try file.atGate { box throws(SQLiteError) in try box.add("b") }
    #expect(try file.read { box throws(SQLiteError) in try box.notes() } == ["b"])
    #expect(file.openings == 3)
  }

  @Test func `of a newer version is refused and left alone`() throws {
    try shared(path).atGate { box throws(SQLiteError) in try box.database.script("PRAGMA user_version = 9") }
    let file = shared(path)
    let failure = #expect(throws: StoreFailure.self) { try file.read { box throws(SQLiteError) in try box.notes() } }
    guard case .unavailable(let message, _, isRetryable: false)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(message.contains("version 9"))
    #expect(DamagedDatabase.all(beside: path).isEmpty)
  }

  @Test(arguments: [
    (SQLiteError.Kind.busy, true), (.full, true), (.io, true), (.readOnly, false), (.foreignFile, false),
    (.constraint, false),
  ])
  func `tells a failure, and whether another attempt may succeed`(kind: SQLiteError.Kind, isRetryable: Bool) throws {
    let error = SQLiteError(kind: kind, message: "No.", path: path)
    let failure = #expect(throws: StoreFailure.self) {
      try shared(path).atGate { _ throws(SQLiteError) in throw error }
    }
    #expect(
      failure == .unavailable("The test store failed: No.", recovery: error.recovery, isRetryable: isRetryable))
  }

  @Test func `whose gate another keeps is read all the same, and written when the gate is free`() throws {
    let (one, two) = (shared(path), shared(path, timeout: .milliseconds(50)))
    _ = try two.read { box throws(SQLiteError) in try box.notes() }
    try one.atGate { box throws(SQLiteError) in
      try box.add("a")
      let failure = #expect(throws: StoreFailure.self) {
        try two.atGate { box throws(SQLiteError) in try box.add("b") }
      }
      guard case .unavailable(_, _, isRetryable: true)? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect((try? two.read { box throws(SQLiteError) in try box.notes() }) == ["a"])
    }
    try two.atGate { box throws(SQLiteError) in try box.add("b") }
  }

  @Test(arguments: [false, true]) func `tells of the commits of others, of a new file as well`(
    isListening: Bool
  ) async throws {
    let (heard, continuation) = AsyncStream.makeStream(of: Void.self)
    let listener = shared(path, isListening: isListening) { continuation.yield() }
    try listener.listen()
    let writer = shared(path)
    for _ in 0..<2 {
      try writer.atGate { box throws(SQLiteError) in try box.add("a") }
      writer.announce()
      for await _ in heard { break }
      for suffix in ["", "-wal", "-shm"] { File.remove(path + suffix) }
      _ = try listener.read { box throws(SQLiteError) in try box.notes() }
    }
  }

  @Test func `says why its folder cannot be made`() throws {
    let failure = StoreFailure.unavailable("No folder.", recovery: "Make it.", isRetryable: true)
    let file = SharedFile<Box>(
      .init(name: "test store", path: path, timeout: .seconds(1), pollInterval: .seconds(1)), isListening: false,
      heard: {}, prepare: { () throws(StoreFailure) in throw failure },
      open: { () throws(SQLiteError) in throw SQLiteError(kind: .misuse, message: "Not reached.", path: "") })
    #expect(throws: failure) { try file.read { box throws(SQLiteError) in try box.notes() } }
    #expect(FileIdentity(path: "\(path).gate") == nil)
  }
}
