import EventLoop
import Files
import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import Transfers

/// How many transfers run, and what becomes of those that wait.
@Suite(.timeLimit(.minutes(1)))
struct `Who runs transfers, at the bounds` {
  let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  /// A server that begins an answer and does not end it.
  private func silentServer() throws -> FaultyServer {
    try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(10), length: 90, isSilent: true) }
  }

  private func key(_ name: String) -> SessionKey { SessionKey(app: place.key.app, identifier: name) }

  @Test(
    arguments: [(3, 8, 4, 3), (16, 2, 4, 2), (16, 8, 3, 3), (16, 8, 0, 1), (16, 8, -1, 1), (16, 8, 9, 6)]
      as [(Int, Int, Int, Int)])
  func `runs as many at one time as runner, server and session permit`(
    ofRunner: Int, ofServer: Int, ofSession: Int, active: Int
  ) async throws {
    let server = try silentServer()
    defer { server.stop() }
    var configuration = SessionConfiguration()
    configuration.maximumConnectionsPerHost = ofSession
    try await place.open(configuration)
    for number in 0..<6 { try await place.download("\(server.url)/\(number)", to: "\(number)") }
    var options = place.options()
    (options.maximumConcurrent, options.maximumPerServer) = (ofRunner, ofServer)
    let load = try await place.running(options) { runner in
      while server.requests.count < active { await Task.yield() }
      return await runner.load
    }
    #expect(load == (active, 6 - active))
  }

  @Test func `counts the connections of each session to each server`() async throws {
    let (one, other) = (try silentServer(), try silentServer())
    defer { for server in [one, other] { server.stop() } }
    var configuration = SessionConfiguration()
    configuration.maximumConnectionsPerHost = 2
    for name in ["a", "b"] {
      _ = try await place.journal.open(place.journals.session(name, configuration: configuration))
      for number in 0..<3 {
        _ = try await place.journal.add(place.journals.download(one.url, to: "\(number)"), to: key(name), epoch: 1)
      }
    }
    _ = try await place.journal.add(place.journals.download(other.url), to: key("a"), epoch: 1)
    var options = place.options()
    options.maximumPerServer = 3
    let load = try await place.running(options) { runner in
      while one.requests.count + other.requests.count < 4 { await Task.yield() }
      return await runner.load
    }
    #expect(load == (4, 3))
  }

  /// Two tasks that their server asked to wait; the clock stands.
  private func whileTwoWait(
    _ rules: @escaping TransferRunner.Options.Rules = { _, _, _ in .allowed(reaches: nil) },
    _ body: @escaping @Sendable (TransferRunner, [Int64]) async throws -> Void
  ) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: 429, headers: [("Retry-After", "4000")]) }
    defer { server.stop() }
    try await place.open()
    let ids = [
      try await place.download(server.url + "/a", to: "a"), try await place.download(server.url + "/b", to: "b"),
    ]
    var options = place.options(rules)
    options.sleepUntilDue = { [loop = place.loop] _ in try await loop.sleep(for: .seconds(3_600)) }
    let journal = place.journal
    try await place.running(options) { runner in
      while true {
        let count = journal.changes.count
        if server.requests.count == 2, await runner.load == (0, 2) { break }
        try await journal.changes.wait(past: count)
      }
      try await body(runner, ids)
    }
    #expect(server.requests.count == 2)
  }

  @Test func `ends what waits when its permission is taken, and nothing else`() async throws {
    let isAllowed = Mutex(true)
    let refusal = TransferFailure(domain: "test", code: 7, "Taken away.", recovery: "Ask.")
    let journal = place.journal
    try await whileTwoWait({ _, _, url in
      isAllowed.withLock { $0 } || url.hasSuffix("b") ? .allowed(reaches: nil) : .refused(refusal)
    }) { runner, ids in
      await runner.recheck()
      #expect(await runner.load == (0, 2))
      isAllowed.withLock { $0 = false }
      for _ in 0..<2 { await runner.recheck() }
      #expect(await runner.load == (0, 1))
      while true {
        let count = journal.changes.count
        if try await journal.task(ids[0])?.state == .failed { break }
        try await journal.changes.wait(past: count)
      }
      #expect(try await journal.task(ids[1])?.state == .backingOff)
    }
    let events = try await place.events()
    #expect(events.map(\.kind) == [.didComplete] && events.map(\.error) == [refusal])
    #expect(try await place.journal.unfinishedIDs().count == 1)
  }

  @Test func `forgets what is cancelled while it waits`() async throws {
    let (journal, key) = (place.journal, place.key)
    try await whileTwoWait { runner, ids in
      for (left, id) in ids.reversed().enumerated() {
        try await journal.cancel(id, of: key, epoch: 1)
        while true {
          let count = journal.changes.count
          if await runner.load == (0, 1 - left) { break }
          try await journal.changes.wait(past: count)
        }
      }
    }
    #expect(try await place.events().map(\.error?.code) == [-999, -999])
  }

  @Test func `ends what may wait for a quiet moment that does not come`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    var configuration = SessionConfiguration()
    configuration.isDiscretionary = true
    configuration.timeoutForResource = .seconds(100)
    try await place.open(configuration)
    try await place.download(server.url)
    var options = place.options()
    let clock = place.journals.clock
    let before = clock.now
    let looks = Mutex<Set<Duration>>([])
    options.isQuiet = {
      looks.withLock { _ = $0.insert(clock.now.elapsed(since: before)) }
      return false
    }
    try await place.runAll(options)
    #expect(try await place.failure() == .timedOut)
    #expect(clock.now.elapsed(since: before) == .seconds(100))
    // Each half minute, until its time has passed.
    #expect(looks.withLock { $0 } == [.zero, .seconds(30), .seconds(60), .seconds(90)])
    #expect(server.requests.isEmpty)
  }

  @Test func `leaves the sessions of other machines alone`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    try await place.open()
    let here = try await place.download(server.url + "/here")
    var session = place.journals.session("there")
    session.machine = "there"
    _ = try await place.journal.open(session)
    let there = try await place.journal.add(
      place.journals.download(server.url + "/there", to: "b"), to: session.key, epoch: 1)
    var options = place.options()
    options.machine = "there"
    // One after the other, and the older one would be first.
    options.maximumConcurrent = 1
    let journal = place.journal
    try await place.run(options) { try await journal.task(there)?.state == .completed }
    #expect(server.requests.map(\.path) == ["/there"])
    #expect(try await journal.task(here)?.state == .waiting)
  }

  @Test func `takes nothing from another machine, whose apps its own rules do not know`() async throws {
    var session = place.journals.session("there")
    session.machine = "there"
    _ = try await place.journal.open(session)
    let id = try await place.journal.add(place.journals.download(), to: session.key, epoch: 1)
    let refusal = TransferFailure(domain: "test", code: 7, "There is no such app.", recovery: "Install it.")
    var options = place.options { _, _, _ in .refused(refusal) }
    options.machine = "here"
    try await place.running(options) { runner in
      while await runner.load.waiting < 1 { await Task.yield() }
      for _ in 0..<2 { await runner.recheck() }
      #expect(await runner.load == (0, 1))
    }
    #expect(try await place.journal.task(id)?.state == .waiting)
    #expect(try await place.journal.events(of: session.key).isEmpty)
  }

  @Test func `ends what is still on its way when its time has passed`() async throws {
    let server = try silentServer()
    defer { server.stop() }
    var configuration = SessionConfiguration()
    configuration.timeoutForResource = .seconds(5)
    try await place.open(configuration)
    try await place.download(server.url)
    try await place.runAll()
    #expect(try await place.failure() == .timedOut)
    #expect(!server.requests.isEmpty && place.journals.files.isEmpty)
  }

  @Test func `runs sixteen transfers, eight of them with one server, where nothing else is said`() async throws {
    let options = TransferRunner.Options(sleep: { _ in }, rules: { _, _, _ in .allowed(reaches: nil) })
    #expect(options.maximumConcurrent == 16 && options.maximumPerServer == 8)
    #expect(options.maximumBytesPerSecond == nil && options.machine == nil)
    #expect(options.checkpointInterval == .milliseconds(250))
    for _ in 0..<20 { #expect((0...1).contains(options.random())) }
    let session = place.journals.session()
    let record = TransferRecord(
      id: 1, session: session.key, kind: .download, request: TransferRequest(url: "http://a/"),
      deadline: Countdown(.seconds(1), from: place.journals.clock.now))
    let (room, user) = (try await options.room(session, record), try await options.user(session))
    #expect(await options.fence(session) == .open && room == nil && user == nil)
    let configuration = SessionConfiguration()
    #expect(configuration.sendsLaunchEvents && !configuration.isDiscretionary)
    #expect(configuration.timeoutForRequest == .seconds(60) && configuration.timeoutForResource == .seconds(604_800))
    #expect(configuration.maximumConnectionsPerHost == 4 && configuration.additionalHeaders == [:])
  }

  @Test(arguments: [(20, nil), (21, -1007)] as [(Int, Int?)])
  func `follows twenty redirects, and not one more`(count: Int, code: Int?) async throws {
    let server = try FaultyServer { request, _ in
      let number = Int(request.path.dropFirst()) ?? 0
      return number < count
        ? FaultyServer.Reply(status: 302, headers: [("Location", "/\(number + 1)")]) : FaultyServer.Reply(body: [7])
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url + "/0")
    try await place.runAll()
    #expect(try await place.failure()?.code == code)
    #expect(place.content() == (code == nil ? [7] : nil) && place.journals.files.isEmpty)
    #expect(server.requests.map(\.path) == (0...20).map { "/\($0)" })
  }

  // MARK: What is asked

  @Test(arguments: [1, 2]) func `ends a download with what is said of its room`(look: Int) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    let refusal = TransferFailure(domain: "test", code: 7, "There is no container.", recovery: "Make one.")
    let asked = Mutex(0)
    var options = place.options()
    options.room = { (_, _) async throws(TransferFailure) -> Int64? in
      let count = asked.withLock { asked in
        asked += 1
        return asked
      }
      if count == look { throw refusal }
      return nil
    }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll(options)
    #expect(try await place.failure() == refusal)
    #expect(server.requests.count == look - 1)
    #expect(place.content() == nil && place.journals.files.isEmpty)
  }

  @Test func `moves no file for somebody who is not known`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    let refusal = TransferFailure(domain: "test", code: 7, "There is no such user.", recovery: "Make one.")
    var options = place.options()
    options.user = { (_) async throws(TransferFailure) -> FileUser? in throw refusal }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll(options)
    #expect(try await place.failure() == refusal)
    #expect(place.content() == nil && place.journals.files.isEmpty)
  }

  @Test func `sends nothing when the copy of the file is gone`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: 201) }
    defer { server.stop() }
    try await place.open()
    _ = try await place.journals.upload("text", to: server.url) {
      try await place.journal.add($0, to: place.key, epoch: 1)
    }
    let copy = try #require(place.journals.files.first)
    try FileManager.default.removeItem(atPath: place.journal.folder.path(of: copy))
    try await place.runAll()
    #expect(try await place.failure()?.code == -1100)
    #expect(server.requests.isEmpty)
  }

  /// A server of this machine may refuse what extensions ask for.
  @Test(
    arguments: [(nil, nil), ([.loopback], "1"), ([.loopback, .global], "1")] as [(Set<AddressReach>?, String?)])
  func `marks each request that may reach this machine, whatever its owner says`(
    reaches: Set<AddressReach>?, mark: String?
  ) async throws {
    let server = try FaultyServer { request, _ in
      request.path == "/a"
        ? FaultyServer.Reply(status: 302, headers: [("Location", "/b")]) : FaultyServer.Reply(body: [1])
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url + "/a", headers: ["annex-fetch": "0"])
    try await place.runAll(place.options { _, _, _ in .allowed(reaches: reaches) })
    #expect(server.requests.map { $0.headers["annex-fetch"] } == [mark, mark])
  }

  @Test func `asks for each redirect anew where it may lead, and marks it by that alone`() async throws {
    let server = try FaultyServer { request, _ in
      guard request.path != "/c" else { return FaultyServer.Reply(body: [1]) }
      return FaultyServer.Reply(status: 302, headers: [("Location", request.path == "/a" ? "/b" : "/c")])
    }
    defer { server.stop() }
    let isPublic = Mutex(false)
    let options = place.options { _, _, url in
      if url.hasSuffix("/b") { return .allowed(reaches: [.loopback]) }
      return .allowed(reaches: url.hasSuffix("/c") && isPublic.withLock({ $0 }) ? [.global] : nil)
    }
    try await place.open()
    try await place.download(server.url + "/a")
    try await place.runAll(options)
    #expect(server.requests.map { $0.headers["annex-fetch"] } == [nil, "1", nil])
    isPublic.withLock { $0 = true }
    try await place.download(server.url + "/a", to: "b")
    try await place.runAll(options)
    #expect(try await place.failure()?.code == -1004)
    #expect(server.requests.map(\.path) == ["/a", "/b", "/c", "/a", "/b"])
  }

  // MARK: Going on

  /// What lies behind the bytes that were synced is cut off, so that it is not taken for the file the next time.
  @Test func `fetches all that was lost, also when the connection breaks meanwhile`() async throws {
    let body = pattern(100_000)
    let server = try FaultyServer { request, index in
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      if index == 0 { (reply.length, reply.cut) = (reply.body.count, 500) }
      return reply
    }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url)
    try await place.losePower(during: id, of: body, synced: 1000)
    try await place.runAll()
    let isSame = place.content() == body
    #expect(isSame)
    #expect(server.requests.map(\.first) == [1000, 1500])
  }

  @Test func `runs the tasks of a journal that was begun anew, whatever their numbers`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [7]) }
    defer { server.stop() }
    let (place, url) = (place, server.url)
    try await place.open()
    try await place.running { _ in
      for (number, names) in [["a", "b"], ["c"]].enumerated() {
        if number > 0 {
          for end in ["-wal", "-shm", ""] { File.remove("\(place.journals.folder)/transfers.sqlite\(end)") }
          try await place.open()
        }
        for (index, name) in names.enumerated() {
          #expect(try await place.download(url, to: name) == Int64(index + 1))
        }
        while true {
          let count = place.journal.changes.count
          if try await place.journal.unfinishedIDs().isEmpty { break }
          try await place.journal.changes.wait(past: count)
        }
      }
    }
    #expect(place.content("c") == [7])
  }
}
