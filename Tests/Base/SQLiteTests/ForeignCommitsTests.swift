import EventLoop
import Glibc
import SQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The commits of other processes` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `are heard of by a touch of the file, each time`() async throws {
    let path = try directory.write("", to: "notify")
    let (lines, heard) = AsyncStream.makeStream(of: Void.self)
    // Long before it is looked at whatever is heard.
    let commits = try ForeignCommits(path: path, every: .seconds(3_600)) { heard.yield() }
    for _ in 0..<3 {
      let descriptor = open(path, O_WRONLY)
      #expect(pwrite(descriptor, "x", 1, 0) == 1)
      close(descriptor)
      for await _ in lines { break }
    }
    withExtendedLifetime(commits) {}
  }

  @Test func `are looked for again and again where no touch is heard`() async throws {
    let (lines, heard) = AsyncStream.makeStream(of: Void.self)
    let commits = try ForeignCommits(path: directory.file("none"), every: .milliseconds(1)) { heard.yield() }
    for _ in 0..<3 { for await _ in lines { break } }
    withExtendedLifetime(commits) {}
  }

  @Test func `are told to nobody who is gone`() async throws {
    final class Listener: Sendable {}
    weak var left: Listener?
    do {
      let listener = Listener()
      left = listener
      let (lines, heard) = AsyncStream.makeStream(of: Void.self)
      let commits = try ForeignCommits(path: directory.file("none"), every: .milliseconds(1)) {
        withExtendedLifetime(listener) { _ = heard.yield() }
      }
      for await _ in lines { break }
      withExtendedLifetime(commits) {}
    }
    while left != nil, !Task.isCancelled { await Task.yield() }
    #expect(left == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A script of statements` {
  private func database() throws -> Database {
    try Database.inMemory(options: DatabaseOptions(applicationID: 1), migrations: Migrations([]))
  }

  @Test(arguments: ["", " \n", "-- nothing", "/* é */", "SELECT 1", "SELECT 1;", "SELECT 1; -- é", ";;SELECT 1;\n;"])
  func `may be empty, and end as it wants`(text: String) throws { try database().script(text) }

  @Test func `is done in order, to the end of each statement`() throws {
    let database = try database()
    try database.script(
      "CREATE TABLE t (a TEXT);INSERT INTO t VALUES ('é;'); -- ;\nINSERT INTO t SELECT a || 'x' FROM t RETURNING a;")
    let texts = try database.rows("SELECT a FROM t ORDER BY rowid") { row throws(SQLiteError) in row.text(at: 0) }
    #expect(texts == ["é;", "é;x"])
  }

  @Test(arguments: [
    ("SELECT 'é'; SELEC 2; SELECT 3", SQLiteError.Kind.misuse),
    ("SELECT 'é'; INSERT INTO t VALUES (1); SELECT 3", .constraint),
  ])
  func `ends at the first that is refused, and says which`(text: String, kind: SQLiteError.Kind) throws {
    let database = try database()
    try database.script("CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try database.script(text) }
    #expect(error?.kind == kind && error?.sql == String(text.dropFirst("SELECT 'é';".count)))
  }
}
