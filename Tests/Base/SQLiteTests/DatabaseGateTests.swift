import Files
import Glibc
import TestSupport
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(1)))
struct `A gate of a database` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func gate() throws -> DatabaseGate {
    try DatabaseGate(path: directory.file("gate"), timeout: .milliseconds(20))
  }

  @Test func `is one's at a time, again and again`() throws {
    let (one, other) = (try gate(), try gate())
    for _ in 0..<2 {
      try one.take()
      let error = #expect(throws: GateError.self) { try other.take() }
      #expect(error?.isRetryable == true)
      #expect(error?.message.hasPrefix("Another process has kept the gate") == true)
      one.give()
      try other.take()
      #expect(throws: GateError.self) { try one.take() }
      other.give()
    }
    #expect(FileStatus(directory.file("gate"))?.mode == S_IFREG | 0o600)
  }

  @Test func `is free once whoever had it is gone`() throws {
    let other = try gate()
    do {
      let one = try gate()
      try one.take()
      _ = withExtendedLifetime(one) { #expect(throws: GateError.self) { try other.take() } }
    }
    #expect(throws: Never.self) { try other.take() }
  }

  @Test func `has listeners as long as one listens`() throws {
    let other = try gate()
    #expect(!other.hasListeners)
    do {
      let (one, two) = (try gate(), try gate())
      one.listen()
      two.listen()
      try withExtendedLifetime((one, two)) {
        #expect(other.hasListeners)
        // To listen keeps nobody out.
        try other.take()
        other.give()
      }
    }
    #expect(!other.hasListeners)
  }

  @Test func `lies in a folder that is there, and tells what passes`() {
    let path = "\(directory.path)/none/gate"
    let error = #expect(throws: GateError.self) { try DatabaseGate(path: path, timeout: .zero) }
    #expect(error?.isRetryable == false)
    for number in [EAGAIN, EINTR, ENOSPC, EMFILE] { #expect(GateError.system("lock", "/a", number).isRetryable) }
    for number in [EACCES, ENOENT, EROFS] { #expect(!GateError.system("lock", "/a", number).isRetryable) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An error of SQLite` {
  @Test(
    arguments: [
      (5, .busy), (6, .busy), (15, .busy), (13, .full), (8, .readOnly), (3, .readOnly), (11, .corrupt),
      (26, .notADatabase), (19, .constraint), (20, .constraint), (14, .cannotOpen), (23, .cannotOpen), (10, .io),
      (7, .io), (18, .tooBig), (9, .interrupted), (4, .interrupted), (1, .misuse), (21, .misuse), (266, .io),
      (517, .busy),
    ] as [(Int32, SQLiteError.Kind)])
  func `is of a kind by its code`(code: Int32, kind: SQLiteError.Kind) {
    #expect(SQLiteError.Kind(code: code) == kind)
    #expect(kind.isDamage == (code == 11 || code == 26))
  }

  @Test func `is told with its code, if it has one`() {
    func text(_ code: Int32) -> String {
      SQLiteError(kind: .io, code: 10, extendedCode: code, message: "No.", path: "/a").description
    }
    #expect(text(0) == "No. (io, /a)" && text(266) == "No. (io, SQLite 266, /a)")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A damaged database` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `is set aside with its logs, and found by the name of its own file`() throws {
    for name in ["a", "a-wal", "a-shm", "b.corrupt-1", "a.corrupt-0-wal"] {
      _ = try directory.write(name, to: name)
    }
    let path = directory.file("a")
    #expect(DamagedDatabase.all(beside: path).isEmpty)
    let target = try #require(DamagedDatabase.setAside(path))
    #expect(target.hasPrefix("\(path).corrupt-"))
    for log in ["", "-wal", "-shm"] {
      #expect(try File.read(target + log, limit: 10) == Array("a\(log)".utf8))
      #expect(FileStatus(path + log) == nil)
    }
    #expect(DamagedDatabase.all(beside: path) == [target])
    #expect(DamagedDatabase.setAside(path) == nil)
    // The logs of a file that is gone are not taken for its logs.
    _ = try directory.write("later", to: "a")
    let second = try #require(DamagedDatabase.setAside(path))
    #expect(DamagedDatabase.all(beside: path) == [target, second].sorted() && target != second)
    #expect(FileStatus(second + "-wal") == nil)
  }

  @Test(arguments: [".damaged", nil])
  func `that was a cache is kept once, however often it happens`(suffix: String?) throws {
    let path = directory.file("cache")
    for round in 0..<2 {
      _ = try directory.write("no database \(round)", to: "cache")
      let options = CacheFile.Options(
        name: "The cache", applicationID: 7, migrations: Migrations([]), maximumBytes: 1 << 20, damagedSuffix: suffix)
      let one = CacheFile(options, report: { _ in }, path: { path }).use { database throws(SQLiteError) in
        try database.scalar("SELECT 1")
      }
      #expect(one == .integer(1))
      let kept = suffix.map { [path + $0] } ?? DamagedDatabase.all(beside: path)
      #expect(kept.count == 1)
      for file in kept { #expect(try File.read(file, limit: 20) == Array("no database \(round)".utf8)) }
      #expect(DamagedDatabase.all(beside: path).count == (suffix == nil ? 1 : 0))
    }
  }

  @Test(arguments: [(100_000, 64), (4_096 * 32, 64), (4_096 * 33, 66), (1 << 20, 512)])
  func `cache grows to twice its bytes at most, and to 64 pages at least`(bytes: Int, pages: Int64) {
    let options = CacheFile.Options(
      name: "The cache", applicationID: 7, migrations: Migrations([]), maximumBytes: bytes)
    let found = CacheFile(options, report: { _ in }, path: { ":memory:" }).use { database throws(SQLiteError) in
      try database.scalar("PRAGMA max_page_count")
    }
    #expect(found == .integer(pages))
  }
}
