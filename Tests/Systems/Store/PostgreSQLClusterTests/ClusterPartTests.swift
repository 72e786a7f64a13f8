import Files
import Glibc
import PostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLCluster

/// What a call throws.
private func failure(_ body: () throws(PostgreSQLClusterError) -> Void) -> PostgreSQLClusterError? {
  do throws(PostgreSQLClusterError) {
    try body()
    return nil
  } catch { return error }
}

@Suite(.timeLimit(.minutes(1)))
struct `The folder of a private server` {
  private let place: TemporaryDirectory
  private let folder: ClusterFolder

  init() throws {
    place = try TemporaryDirectory()
    folder = try ClusterFolder(place.file("db"), for: nil)
  }

  private static let long = String(repeating: "é", count: 400)
  private static let logs: [(text: String, words: String?)] = [
    ("", nil), ("LOG: a\nLOG: b\n", "LOG: b"), ("\n\nLOG: a\n\n", "LOG: a"),
    ("10:00 FATAL: one\nLOG: b\n", "10:00 FATAL: one"), ("PANIC: one\nLOG: b\n", "PANIC: one"),
    ("initdb: error: one\nLOG: b\n", "initdb: error: one"), ("setpriv: one\nLOG: b\n", "setpriv: one"),
    ("FATAL: one\nPANIC: two\nLOG: c\n", "PANIC: two"), ("Fatal: one\nERROR: two\nLOG: c\n", "LOG: c"),
    ("ERROR: No space left on device\nFATAL: two\n", "ERROR: No space left on device"),
    ("a: No space left on device\nb: No space left on device\nFATAL: c\n", "b: No space left on device"),
    ("cannot write: wrote only 3 of 8\nFATAL: b\n", "No space left on device: cannot write: wrote only 3 of 8"),
    ("wrote only 1\nNo space left on device\nwrote only 2\n", "No space left on device"),
    ("FATAL: \(long)\n", "FATAL: " + long.prefix(293)),
    ("No space left on device: \(long)\n", "No space left on device: " + long.prefix(275)),
    ("wrote only \(long)\n", "No space left on device: wrote only " + long.prefix(264)),
  ]

  @Test(arguments: logs.indices) func `says why the server ended`(index: Int) throws {
    let (text, words) = Self.logs[index]
    try File.replace(folder.log, with: Array(text.utf8))
    #expect(folder.lastWords(from: 0) == words)
  }

  @Test func `says nothing of an earlier server`() throws {
    #expect(folder.lastWords(from: 0) == nil && folder.logSize == 0)
    let old = "FATAL: é\n"
    try File.replace(folder.log, with: Array("\(old)LOG: new\n".utf8))
    #expect(folder.logSize == old.utf8.count + 9)
    #expect(folder.lastWords(from: old.utf8.count) == "LOG: new")
    #expect(folder.lastWords(from: 0) == "FATAL: é")
    #expect(folder.lastWords(from: folder.logSize) == nil)
  }

  @Test func `says the last reason of a log, however long that is`() throws {
    let old = "FATAL: one\n"
    let filling = String(repeating: "LOG: \(String(repeating: "x", count: 58))\n", count: 1_024)
    #expect(filling.utf8.count == 1 << 16)
    try File.replace(folder.log, with: Array("\(old)\(filling)FATAL: two\n".utf8))
    #expect(folder.lastWords(from: 0) == "FATAL: two" && folder.lastWords(from: old.utf8.count) == "FATAL: two")
    // What is further back than that is not looked for.
    try File.replace(folder.log, with: Array("\(old)\(filling)LOG: end\n".utf8))
    #expect(folder.lastWords(from: 0) == "LOG: end")
  }

  @Test func `keeps a log of 1 MiB, and moves a larger one away in place of the one before`() throws {
    try File.replace("\(folder.log).1", with: Array("before".utf8))
    close(try folder.openLog())
    #expect(folder.logSize == 0 && FileStatus(folder.log).map { $0.mode & 0o777 } == 0o600)
    #expect(truncate(folder.log, 1 << 20) == 0)
    let log = try folder.openLog()
    #expect(write(log, "x", 1) == 1)
    close(log)
    #expect(folder.logSize == (1 << 20) + 1 && FileStatus("\(folder.log).1")?.size == 6)
    close(try folder.openLog())
    #expect(folder.logSize == 0 && FileStatus("\(folder.log).1")?.size == (1 << 20) + 1)
  }

  @Test func `writes no log through a link`() throws {
    #expect(symlink(place.file("elsewhere"), folder.log) == 0)
    #expect(failure { () throws(PostgreSQLClusterError) in _ = try folder.openLog() }?.kind == .folder)
    #expect(FileStatus(place.file("elsewhere")) == nil)
  }

  @Test(arguments: [("15\n", 15), ("16.2", 16), ("9", 9), ("", nil), ("x15", nil)] as [(String, Int?)])
  func `has data of a version`(text: String, version: Int?) throws {
    #expect(folder.version == nil)
    #expect(mkdir(folder.data, 0o700) == 0)
    #expect(folder.version == nil)
    try File.replace("\(folder.data)/PG_VERSION", with: Array(text.utf8))
    #expect(folder.version == version)
  }

  @Test func `has one user at a time`() throws {
    let lock = try Launch.lock(folder)
    let refused = failure { () throws(PostgreSQLClusterError) in try Launch.lock(folder).unlock() }
    #expect(refused?.kind == .inUse && refused?.message.contains(folder.path) == true)
    lock.unlock()
    try Launch.lock(folder).unlock()
  }

  @Test(arguments: ["9999999\n/data\n", "1\n", "0\n", "-5\n", "x\n", "\n", ""])
  func `is rid of the number of a server that is gone`(text: String) throws {
    let launch = Launch(isTemporary: true, within: .seconds(3600))
    try StaleServer.end(in: folder, launch)
    #expect(mkdir(folder.data, 0o700) == 0)
    try File.replace(folder.processFile, with: Array(text.utf8))
    try StaleServer.end(in: folder, launch)
    #expect(FileStatus(folder.processFile) == nil && FileStatus(folder.data) != nil)
  }

  @Test func `ends no process that has the number by now, and works elsewhere`() throws {
    #expect(mkdir(folder.data, 0o700) == 0)
    let launch = Launch(isTemporary: true, within: .seconds(3600))
    for text in ["\(getpid())\n\(folder.data)\n", "\(getpid())"] {
      try File.replace(folder.processFile, with: Array(text.utf8))
      try StaleServer.end(in: folder, launch)
      #expect(FileStatus(folder.processFile) == nil)
    }
  }

  @Test(arguments: ["", "a\0b", String(repeating: "a", count: 64), String(repeating: "é", count: 32)])
  func `is not made for a database that no server has`(name: String) async throws {
    let cluster = PostgreSQLCluster(folder: place.file("other"))
    do throws(PostgreSQLClusterError) {
      _ = try await cluster.database(name)
      Issue.record("A database has been made.")
    } catch { #expect(error.kind == .refused && error.message == "The name of a database has 1 to 63 bytes.") }
    #expect(FileStatus(place.file("other")) == nil)
  }

  @Test func `is emptied or set aside, unless somebody uses it`() async throws {
    // Its server's user can get here.
    chmod(place.path, 0o755)
    let data = place.file("db/data")
    #expect(try await PostgreSQLCluster.reset(folder: place.file("none"), keeping: true) == nil)
    #expect(FileStatus(place.file("none")) == nil)
    #expect(try await PostgreSQLCluster.reset(folder: place.file("db"), keeping: true) == nil)
    #expect(mkdir(data, 0o700) == 0)
    try File.replace("\(data)/a", with: [1])
    #expect(try await PostgreSQLCluster.reset(folder: place.file("db"), keeping: false) == nil)
    #expect(Folder.names(in: place.file("db")).filter { $0.hasPrefix("data") } == [])
    #expect(mkdir(data, 0o700) == 0)
    try File.replace("\(data)/b", with: [2])
    let lock = try Launch.lock(folder)
    do throws(PostgreSQLClusterError) {
      _ = try await PostgreSQLCluster.reset(folder: place.file("db"), keeping: true)
      Issue.record("What somebody uses was moved away.")
    } catch { #expect(error.kind == .inUse) }
    lock.unlock()
    let aside = try #require(try await PostgreSQLCluster.reset(folder: place.file("db"), keeping: true))
    #expect(Folder.names(in: aside) == ["b"] && FileStatus(data) == nil)
  }
}

/// Starts no server: the starts end when they are released, two at most.
private final class HeldStart: Sendable {
  private let input: Int32
  private let output: Int32
  private let starts = Atomic(0)

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (input, output) = (ends[0], ends[1])
  }

  deinit {
    close(input)
    close(output)
  }

  var count: Int { starts.load(ordering: .relaxed) }

  func release() { #expect(write(output, "xx", 2) == 2) }

  func run() -> PostgreSQLClusterError {
    starts.add(1, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = read(input, &byte, 1)
    return .cancelled
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A private server that is stopped while it starts` {
  @Test func `is not started again by those who waited for it`() async throws {
    let held = try HeldStart()
    let cluster = PostgreSQLCluster("/nowhere", isTemporary: false, startingWithin: .seconds(3600)) {
      _, _ throws(PostgreSQLClusterError) in throw held.run()
    }
    let calls = (0..<2).map { _ in
      Task { () -> PostgreSQLClusterError.Kind? in
        do throws(PostgreSQLClusterError) {
          try await cluster.start()
          return nil
        } catch { return error.kind }
      }
    }
    // One starts it, the other waits for that, and so does the stop.
    while await cluster.waiting.count < 1 { await Task.yield() }
    let stop = Task { await cluster.stop() }
    while await cluster.waiting.count < 2 { await Task.yield() }
    held.release()
    for call in calls { #expect(await call.value == .cancelled) }
    await stop.value
    #expect(held.count == 1)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The user of a private server` {
  private let place: TemporaryDirectory
  private let other = ServerUser(name: "other", user: 4_000_007, group: 4_000_008)

  init() throws { place = try TemporaryDirectory() }

  @Test func `passes through folders that all may pass, and its own`() throws {
    let inner = place.file("inner")
    #expect(mkdir(inner, 0o700) == 0)
    let outside = other.canEnter(Folder.parent(of: place.path))
    chmod(place.path, 0o711)
    chmod(inner, 0o711)
    #expect(other.canEnter(inner) == outside)
    chmod(inner, 0o776)
    #expect(!other.canEnter(inner) && other.canEnter(place.path) == outside)
    chmod(inner, 0o711)
    chmod(place.path, 0o776)
    #expect(!other.canEnter(inner) && !other.canEnter(place.path))
    let own = ServerUser(name: "own", user: geteuid(), group: getegid())
    #expect(own.canEnter(inner) == own.canEnter(Folder.parent(of: place.path)))
    #expect(!own.canEnter(place.file("none")) && other.canEnter("/"))
  }

  @Test func `runs commands with nothing of root's left`() {
    #expect(
      other.command(["a", "b"], "--pdeathsig", "KILL") == [
        "/usr/bin/setpriv", "--reuid=4000007", "--regid=4000008", "--clear-groups", "--no-new-privs", "--pdeathsig",
        "KILL", "a", "b",
      ])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The programs of a private server` {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func install(_ version: String, _ modes: [String: mode_t]) throws {
    try Folder.make(place.file("\(version)/bin"))
    for (name, mode) in modes {
      try File.replace(place.file("\(version)/bin/\(name)"), with: [])
      chmod(place.file("\(version)/bin/\(name)"), mode)
    }
  }

  private func version(_ made: Int? = nil) -> Int? { try? ServerPrograms.find(made, in: place.path).version }

  @Test func `are the newest from 15 on, or those that made the data`() throws {
    let all: [String: mode_t] = ["initdb": 0o755, "postgres": 0o755]
    #expect(version() == nil)
    for name in ["14", "16beta", "latest", "-17"] { try install(name, all) }
    #expect(version() == nil && version(14) == nil)
    try install("15", all)
    #expect(version() == 15 && version(15) == 15)
    for name in ["9", "17", "16"] { try install(name, all) }
    #expect(version() == 17 && version(15) == 15 && version(16) == 16)
    let programs = try ServerPrograms.find(15, in: place.path)
    #expect(programs.initdb == place.file("15/bin/initdb") && programs.postgres == place.file("15/bin/postgres"))
    let missing = failure { () throws(PostgreSQLClusterError) in _ = try ServerPrograms.find(18, in: place.path) }
    #expect(missing?.kind == .programsMissing && missing?.message.contains("PostgreSQL 18") == true)
  }

  @Test func `are both of them, to be executed`() throws {
    try install("15", ["initdb": 0o755, "postgres": 0o755])
    try install("16", ["initdb": 0o755, "postgres": 0o644])
    try install("17", ["initdb": 0o644, "postgres": 0o755])
    try install("18", ["postgres": 0o755])
    #expect(version() == 15 && version(16) == nil && version(17) == nil && version(18) == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The start of a private server` {
  private func kind(_ launch: Launch) -> PostgreSQLClusterError.Kind? {
    failure { () throws(PostgreSQLClusterError) in try launch.check() }?.kind
  }

  @Test func `is given up when it is told to, and when its time is over`() {
    let launch = Launch(isTemporary: true, within: .seconds(3600))
    #expect(kind(launch) == nil && !launch.isCancelled && launch.socket == nil)
    launch.cancel()
    #expect(kind(launch) == .cancelled && launch.isCancelled)
    let late = Launch(isTemporary: true, socket: "/s", within: .seconds(-1))
    #expect(kind(late) == .timedOut && !late.isCancelled && late.socket == "/s")
    late.cancel()
    #expect(kind(late) == .cancelled)
  }

  @Test(
    arguments: [
      (.cancelled, .cancelled), (.timedOut, .timedOut), (.refused, .refused), (.connectionLost, .refused),
      (.cannotConnect, .refused),
    ] as [(PostgreSQLError.Kind, PostgreSQLClusterError.Kind)])
  func `fails with what the server said`(kind: PostgreSQLError.Kind, own: PostgreSQLClusterError.Kind) {
    let said = PostgreSQLError(kind, "It said no.")
    let error = PostgreSQLClusterError(said)
    #expect(error.kind == own && error.message == "It said no." && error.recovery == said.recovery)
  }

  @Test func `fails with the system's advice, or with its own where that has none`() {
    let full = PostgreSQLClusterError(FileError(.notRegular, "Full.", recovery: "Free some."))
    #expect(full.kind == .folder && full.description == "Full. Free some.")
    let other = PostgreSQLClusterError(FileError(.notRegular, "No."))
    #expect(other.kind == .folder && other.description.hasPrefix("No. The folder must belong to this user"))
  }

  @Test func `leads to a database by its socket, whatever either is called`() throws {
    let database = NewDatabase(name: "a b/é?", socket: "/tmp/x y&z")
    let target = try database.target(user: "annex")
    #expect(!target.hasPassword && target.description.contains("a b/é?"))
  }
}
