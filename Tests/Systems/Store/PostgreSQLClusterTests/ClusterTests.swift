import EventLoop
import Files
import Glibc
import PostgreSQL
import PostgreSQLCluster
import Synchronization
import TestPrograms
import TestSupport
import Testing

private let limit = Duration.seconds(30)

/// Runs a query on a connection of its own.
private func rows(_ sql: String, on target: PostgreSQLTarget) async throws -> [String] {
  let loop = EventLoop.onThread(name: "test-cluster")
  defer { loop.stop() }
  let connection = try await PostgreSQLConnection.connect(to: target, on: loop, within: limit)
  return try await connection.query(sql, within: limit).map { $0.text(at: 0) }
}

/// What a call of the cluster throws.
private func failure<Value>(
  _ body: () async throws(PostgreSQLClusterError) -> Value
) async -> PostgreSQLClusterError.Kind? {
  do throws(PostgreSQLClusterError) {
    _ = try await body()
    return nil
  } catch { return error.kind }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A private server of PostgreSQL` {
  @Test func `keeps its data and starts fast the second time`() async throws {
    let place = try TemporaryDirectory()
    chmod(place.path, 0o755)
    mkdir(place.file("a folder with \"quotes\""), 0o755)
    let folder = place.file("a folder with \"quotes\"/\(String(repeating: "long", count: 40))")
    let first = PostgreSQLCluster(folder: folder)
    let clock = ContinuousClock()
    let slow = try await clock.measure { try await first.start() }
    let target = try await first.database("my \"data\" é")
    _ = try await rows("CREATE TABLE t AS SELECT 'kept' AS v", on: target)
    // Somebody else's use of the folder is told, and does no harm.
    #expect(
      await failure { () async throws(PostgreSQLClusterError) in try await PostgreSQLCluster(folder: folder).start() }
        == .inUse)
    #expect(
      await failure { () async throws(PostgreSQLClusterError) in
        try await PostgreSQLCluster.reset(folder: folder, keeping: true)
      } == .inUse)
    let user = try await rows(
      "SELECT concat(current_user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user), current_setting('fsync'), current_setting('listen_addresses'))",
      on: target)
    #expect(user == ["annexfon"])
    // The one that every server has is a name like others.
    let own = try await rows("CREATE TABLE t AS SELECT current_database()::text AS v", on: first.database("postgres"))
    #expect(own == [])
    #expect(try await rows("SELECT v FROM t", on: first.database("postgres")) == ["postgres"])
    await first.stop()
    let second = PostgreSQLCluster(folder: folder)
    let fast = try await clock.measure { try await second.start() }
    // It makes no data.
    #expect(fast < slow)
    #expect(try await rows("SELECT v FROM t", on: second.database("my \"data\" é")) == ["kept"])
    await second.stop()
    #expect(Folder.names(in: folder).contains("server.log"))
    let aside = try #require(try await PostgreSQLCluster.reset(folder: folder, keeping: true))
    #expect(Folder.isFolder(aside))
    let third = PostgreSQLCluster(folder: folder)
    #expect(
      try await rows("SELECT 1::text FROM pg_class WHERE relname = 't'", on: third.database("my \"data\" é")) == [])
    await third.stop()
    #expect(try await PostgreSQLCluster.reset(folder: folder, keeping: false) == nil)
    // What was kept is still there.
    #expect(Folder.isFolder(aside))
    try Folder.remove(aside)
    _ = try await PostgreSQLCluster.reset(folder: folder, keeping: false)
  }

  @Test func `comes back after a crash, and takes over what was left behind`() async throws {
    let place = try TemporaryDirectory()
    let cluster = PostgreSQLCluster(folder: place.file("db"))
    let target = try await cluster.database("d")
    _ = try await rows("CREATE TABLE t AS SELECT 'kept' AS v", on: target)
    let base = try #require(File.resolved(place.file("db")))
    let file = "\(base)/data/postmaster.pid"
    let text = String(decoding: try File.read(file, limit: 1 << 12), as: UTF8.self)
    kill(try #require(Int32(text.prefix { $0.isNumber })), SIGKILL)
    let again = try await cluster.database("d")
    #expect(try await rows("SELECT v FROM t", on: again) == ["kept"])
    await cluster.stop()
    // A server whose number another process has by now is no obstacle.
    try File.replace(file, with: Array("\(getpid())\n\(base)/data\n".utf8))
    try await cluster.start()
    #expect(try await rows("SELECT v FROM t", on: cluster.database("d")) == ["kept"])
    await cluster.stop()
  }

  @Test func `is started again as long as it is wanted, and found where it was`() async throws {
    let place = try TemporaryDirectory()
    let cluster = PostgreSQLCluster(folder: place.file("db"))
    let target = try await cluster.database("d")
    _ = try await rows("CREATE TABLE t AS SELECT 'kept' AS v", on: target)
    let heard = Mutex<[String?]>([])
    let told = Signal()
    let keeping = Task {
      try await cluster.keepRunning(pausing: .milliseconds(50)) { reason in
        heard.withLock { $0.append(reason?.message) }
        told.send()
      }
    }
    let base = try #require(File.resolved(place.file("db")))
    for round in 1...3 {
      let text = String(decoding: try File.read("\(base)/data/postmaster.pid", limit: 1 << 12), as: UTF8.self)
      kill(try #require(Int32(text.prefix { $0.isNumber })), SIGKILL)
      var count = told.count
      while heard.withLock({ $0.count { $0 == nil } }) < round {
        try await told.wait(past: count)
        count = told.count
      }
      #expect(try await rows("SELECT v FROM t", on: target) == ["kept"])
    }
    #expect(heard.withLock { $0.first??.hasPrefix("The database has ended") } == true)
    await cluster.stop()
    try await keeping.value
    #expect(FileStatus("\(base)/data/postmaster.pid") == nil)
  }

  @Test func `ends with whoever holds it`() async throws {
    let place = try TemporaryDirectory()
    // What ends it is the end of a pipe, which the kernel closes for a process that is killed.
    func use() async throws { try await PostgreSQLCluster(folder: place.file("db")).start() }
    try await use()
    let next = PostgreSQLCluster(folder: place.file("db"))
    try await next.start()
    await next.stop()
    #expect(FileStatus("\(place.file("db"))/data/postmaster.pid") == nil)
  }

  @Test(.enabled(if: getuid() == 0)) func `has its data elsewhere where root alone can go`() async throws {
    let place = try TemporaryDirectory()
    chmod(place.path, 0o700)
    let cluster = PostgreSQLCluster(folder: place.file("db"))
    #expect(try await rows("SELECT current_user::text", on: cluster.database("d")) == ["annex"])
    await cluster.stop()
    let location = String(decoding: try File.read(place.file("db/location"), limit: 1 << 12), as: UTF8.self).dropLast()
    #expect(Folder.isFolder("\(location)/data"))
    #expect(try await PostgreSQLCluster.reset(folder: place.file("db"), keeping: false) == nil)
    #expect(!Folder.isFolder(String(location)))
  }

  @Test func `is gone with its data when it is temporary`() async throws {
    let cluster = try PostgreSQLCluster.temporary()
    let target = try await cluster.database("d")
    #expect(try await rows("SELECT current_setting('fsync')", on: target) == ["off"])
    #expect(Folder.isFolder(cluster.folder))
    await cluster.stop()
    #expect(!Folder.isFolder(cluster.folder))
  }

  @Test func `leaves nothing behind when its start is given up`() async throws {
    let place = try TemporaryDirectory()
    let cluster = PostgreSQLCluster(folder: place.file("db"))
    let start = Task { await failure { () async throws(PostgreSQLClusterError) in try await cluster.start() } }
    while Folder.names(in: place.file("db")).isEmpty { await Task.yield() }
    start.cancel()
    #expect(await start.value == .cancelled)
    let impatient = PostgreSQLCluster(folder: place.file("db"), startingWithin: .milliseconds(1))
    #expect(await failure { () async throws(PostgreSQLClusterError) in try await impatient.start() } == .timedOut)
    // Many who ask at once get one server; who stops it ends them all.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await cluster.start() } }
      try await group.waitForAll()
    }
    await cluster.stop()
    #expect(FileStatus("\(place.file("db"))/data/postmaster.pid") == nil)
  }
}
