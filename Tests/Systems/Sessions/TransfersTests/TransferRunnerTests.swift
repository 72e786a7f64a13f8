import EventLoop
import Files
import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct `Who runs transfers` {
  let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  // MARK: Redirects and rules

  @Test func `gives no secret to another origin, also not on the way back`() async throws {
    let port = Mutex(0)
    let other = try FaultyServer { request, _ in
      let first = "http://127.0.0.1:\(port.withLock { $0 })"
      return FaultyServer.Reply(status: 307, headers: [("Location", "\(first)/end")])
    }
    defer { other.stop() }
    let target = "http://localhost:\(other.port)/x"
    let server = try FaultyServer { request, _ in
      switch request.path {
      case "/start": FaultyServer.Reply(status: 302, headers: [("Location", "/same")])
      case "/same": FaultyServer.Reply(status: 302, headers: [("Location", target)])
      default: FaultyServer.Reply(body: [1])
      }
    }
    defer { server.stop() }
    port.withLock { $0 = server.port }
    var configuration = SessionConfiguration()
    configuration.additionalHeaders = ["X-Api-Key": "secret"]
    try await place.open(configuration)
    try await place.download(
      server.url + "/start", headers: ["Authorization": "Bearer secret", "Cookie": "a=secret", "Accept": "text/plain"])
    try await place.runAll()
    #expect(place.content() == [1])
    #expect(server.requests.map(\.path) == ["/start", "/same", "/end"])
    for request in server.requests.prefix(2) {
      #expect(request.headers["authorization"] == "Bearer secret" && request.headers["cookie"] == "a=secret")
      #expect(request.headers["x-api-key"] == "secret")
    }
    for request in other.requests + server.requests.suffix(1) {
      #expect(!request.headers.values.contains { $0.contains("secret") })
      #expect(request.headers["accept"] == "text/plain")
    }
    #expect(other.requests.count == 1)
  }

  @Test func `ends a loop of redirects`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: 302, headers: [("Location", "/again")]) }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(try await place.failure()?.code == -1007)
    #expect(server.requests.count == 21)
    #expect(place.journals.files.isEmpty)
  }

  @Test func `asks at the start, at each redirect and at each resumption`() async throws {
    let body = pattern(5000)
    let server = try FaultyServer { request, index in
      if request.path == "/a" { return FaultyServer.Reply(status: 302, headers: [("Location", "/b")]) }
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      if index == 1 { (reply.length, reply.cut) = (body.count, 100) }
      return reply
    }
    defer { server.stop() }
    let asked = Mutex<[String]>([])
    let options = place.options { _, _, url in
      asked.withLock { $0.append(String(url.suffix(2))) }
      return .allowed(reaches: [.loopback])
    }
    try await place.open()
    try await place.download(server.url + "/a")
    try await place.runAll(options)
    #expect(asked.withLock { $0 } == ["/a", "/b", "/a", "/b"])
    #expect(place.content() == body)
  }

  @Test func `sends nothing to a server that is refused, nor to an address that is`() async throws {
    let server = try FaultyServer { _, _ in
      FaultyServer.Reply(status: 302, headers: [("Location", "http://localhost/secret")])
    }
    defer { server.stop() }
    let refusal = TransferFailure(domain: "test", code: 7, "It is not named.", recovery: "Name it.")
    let named = server.url
    try await place.open()
    try await place.download(named)
    try await place.runAll(
      place.options { _, _, url in url.hasPrefix(named) ? .allowed(reaches: nil) : .refused(refusal) })
    #expect(try await place.failure() == refusal)
    #expect(server.requests.count == 1 && place.journals.files.isEmpty)
    try await place.download(named, to: "b")
    try await place.runAll(place.options { _, _, _ in .allowed(reaches: [.global]) })
    #expect(try await place.failure()?.code == -1004)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [999, 1000] as [Int64])
  func `stores no more of a file than there is room for`(room: Int64) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(1000)) }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    var options = place.options()
    options.room = { _, _ in room }
    try await place.runAll(options)
    #expect(try await place.failure()?.code == (room < 1000 ? -1103 : nil))
    #expect((place.content() != nil) == (room >= 1000))
    #expect(place.journals.files.isEmpty)
  }

  @Test func `moves no file into a container that was filled meanwhile`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(1000)) }
    defer { server.stop() }
    let asked = Mutex(0)
    var options = place.options()
    options.room = { _, _ in
      asked.withLock { asked in
        asked += 1
        return asked == 1 ? 1000 : 0
      }
    }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll(options)
    #expect(try await place.failure()?.code == -1103)
    #expect(place.content() == nil && place.journals.files.isEmpty)
  }

  @Test func `ends what was taken its permission`() async throws {
    let server = try FaultyServer { request, _ in
      FaultyServer.Reply(headers: [("ETag", "\"1\"")], body: pattern(1000), length: 9000, isSilent: true)
    }
    defer { server.stop() }
    let isAllowed = Mutex(true)
    let refusal = TransferFailure(domain: "test", code: 7, "Taken away.", recovery: "Ask.")
    let options = place.options { _, _, _ in isAllowed.withLock { $0 } ? .allowed(reaches: nil) : .refused(refusal) }
    try await place.open()
    try await place.download(server.url)
    let (journal, key) = (place.journal, place.key)
    try await place.running(options) { runner in
      while true {
        let count = journal.changes.count
        if try await journal.tasks(key).first?.bytesDone == 1000 { break }
        try await journal.changes.wait(past: count)
      }
      isAllowed.withLock { $0 = false }
      await runner.recheck()
      while true {
        let count = journal.changes.count
        if try await journal.tasks(key).first?.state == .failed { break }
        try await journal.changes.wait(past: count)
      }
    }
    #expect(try await place.failure() == refusal)
    #expect(place.journals.files.isEmpty)
  }

  @Test func `ends what cannot be done in secret`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply() }
    defer { server.stop() }
    try await place.open()
    try await place.download("https://127.0.0.1:\(server.port)/")
    try await place.runAll()
    #expect(try await place.failure()?.code == -1200)
  }

  // MARK: Files

  @Test(arguments: ["../a", "/etc/a", "link/a", "b/../../a", "", "a/", "./a"])
  func `puts nothing outside of the container`(destination: String) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    let outside = place.journals.directory.file("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.journals.container)/link", withDestinationPath: outside)
    try await place.open()
    try await place.download(server.url, to: destination)
    try await place.runAll()
    #expect(try await place.failure()?.code == -3000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.journals.container) == ["link"])
    #expect(place.journals.files.isEmpty)
  }

  @Test func `replaces a link in its place, and not what it leads to`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    defer { server.stop() }
    let outside = try place.journals.directory.write("mine", to: "outside")
    try FileManager.default.createSymbolicLink(atPath: "\(place.journals.container)/a", withDestinationPath: outside)
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == [1])
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "mine")
    #expect(File.linkTarget(of: "\(place.journals.container)/a") == nil)
  }

  @Test func `leaves no file of a cancelled task`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(1000), length: 9000, isSilent: true) }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url)
    let (journal, key) = (place.journal, place.key)
    try await place.running { runner in
      while server.requests.isEmpty { await Task.yield() }
      try await journal.cancel(id, of: key, epoch: 1)
      while await runner.load.active > 0 { await Task.yield() }
    }
    #expect(try await place.events().map(\.error?.code) == [-999])
    #expect(place.journals.files.isEmpty && place.content() == nil)
  }

  // MARK: Uploads

  @Test(arguments: ["PUT", "POST"]) func `sends a file as it was, again from its beginning after a cut`(
    method: String
  ) async throws {
    let server = try FaultyServer { _, index in
      index < 3
        ? FaultyServer.Reply(length: 10, cut: 0) : FaultyServer.Reply(status: 201, headers: [("Location", "/x")])
    }
    defer { server.stop() }
    try await place.open()
    let text = String(repeating: "0123456789", count: 100_000)
    _ = try await place.journals.upload(text, to: server.url) { draft in
      var draft = draft
      draft.request.method = method
      if method == "POST" { draft.request.headers["Idempotency-Key"] = "\"mine\"" }
      _ = try await place.journal.add(draft, to: place.key, epoch: 1)
    }
    _ = try place.journals.directory.write("edited", to: "source")
    try await place.runAll()
    #expect(server.requests.count == 4)
    #expect(server.requests.allSatisfy { $0.method == method && $0.body == Array(text.utf8) })
    let events = try await place.events()
    #expect(events.map(\.kind) == [.didSendBody, .didComplete] && events[1].response?.status == 201)
    let task = try #require(try await place.journal.tasks(place.key).first)
    #expect(task.bytesDone == 1_000_000 && task.bytesExpected == 1_000_000)
    #expect(place.journals.files.isEmpty)
  }

  @Test func `sends nothing for a session that another machine has, and waits while that is not known`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: 200) }
    defer { server.stop() }
    try await place.open()
    _ = try await place.journals.upload("late", to: server.url) {
      try await place.journal.add($0, to: place.key, epoch: 1)
    }
    let looks = Mutex(0)
    var options = place.options()
    options.fence = { _ in
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      return look < 3 ? .unknown : .closed(TransferFailure(code: -997, "gone", recovery: "Stop."))
    }
    try await place.runAll(options)
    #expect(looks.withLock { $0 } == 3)
    #expect(server.requests.isEmpty)
    #expect(try await place.failure()?.code == -997)
  }

  // MARK: Going on

  @Test func `goes on after its end, with what was received before`() async throws {
    let body = pattern(100_000)
    let server = try FaultyServer { request, index in
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      if index == 0 { (reply.length, reply.cut, reply.isSilent) = (body.count, 60_000, true) }
      return reply
    }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url)
    let journal = place.journal
    try await place.run { try await journal.task(id)?.bytesDone == 60_000 }
    try await place.runAll()
    #expect(place.content() == body)
    #expect(server.requests.map(\.first) == [nil, 60_000])
  }

  @Test(arguments: [true, false])
  func `believes after a loss of power only what was synced`(isSynced: Bool) async throws {
    let body = pattern(100_000)
    let server = try FaultyServer { request, _ in .file(body, tag: "\"1\"", for: request) }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url)
    try await place.losePower(during: id, of: body, synced: isSynced ? 1000 : 0)
    try await place.runAll()
    #expect(place.content() == body)
    #expect(server.requests.map(\.first) == [isSynced ? 1000 : nil])
  }

  @Test func `is one process at a time`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(1000), length: 9000, isSilent: true) }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    let place = place
    try await place.running { _ in
      while server.requests.isEmpty { await Task.yield() }
      let second = TransferRunner(place.journals.journal(), client: place.client, options: place.options())
      await #expect(throws: TransferError.runsElsewhere(place.journals.folder)) { try await second.run() }
    }
    #expect(server.requests.count == 1)
  }

  @Test func `gives up by its own clock, however the wall clock is set`() async throws {
    let server = try FaultyServer { _, index in FaultyServer.Reply(status: index < 3 ? 503 : 200, body: [1]) }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    place.journals.clock.setWall(by: .seconds(86_400 * 365))
    try await place.runAll()
    #expect(place.content() == [1])
  }

  @Test func `runs a thousand small tasks, with no more connections than allowed`() async throws {
    let now = Mutex(0)
    let most = Mutex(0)
    let server = try FaultyServer { request, _ in
      let count = now.withLock {
        $0 += 1
        return $0
      }
      most.withLock { $0 = max($0, count) }
      defer { now.withLock { $0 -= 1 } }
      return FaultyServer.Reply(body: Array(request.path.utf8))
    }
    defer { server.stop() }
    try await place.open()
    for number in 0..<1000 { try await place.download("\(server.url)/\(number)", to: "\(number)") }
    try await place.runAll()
    for number in 0..<1000 where place.content("\(number)") != Array("/\(number)".utf8) {
      Issue.record("\(number) is not there")
    }
    let events = try await place.journal.events(of: place.key, atMost: 10_000)
    #expect(events.count == 2000 && Set(events.map(\.task)).count == 1000)
    #expect(most.withLock { $0 } <= 4)
    #expect(place.journals.files.isEmpty)
  }

  @Test func `is no faster than allowed with all its transfers together`() async throws {
    let body = pattern(150_000)
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: body) }
    defer { server.stop() }
    try await place.open()
    var options = place.options()
    options.maximumBytesPerSecond = 100_000
    for name in ["a", "b"] { try await place.download(server.url, to: name) }
    let start = ContinuousClock.now
    try await place.runAll(options)
    #expect(ContinuousClock.now - start >= .seconds(2))
    #expect(place.content("a") == body && place.content("b") == body)
  }

  @Test func `lets what can wait wait for a quiet moment`() async throws {
    let server = try FaultyServer { request, _ in FaultyServer.Reply(body: Array(request.path.utf8)) }
    defer { server.stop() }
    var patient = SessionConfiguration()
    patient.isDiscretionary = true
    _ = try await place.journal.open(place.journals.session("patient", configuration: patient))
    let key = SessionKey(app: place.key.app, identifier: "patient")
    _ = try await place.journal.add(place.journals.download(server.url + "/later", to: "later"), to: key, epoch: 1)
    try await place.open()
    for number in 0..<3 { try await place.download("\(server.url)/now", to: "\(number)") }
    var options = place.options()
    let looks = Mutex(0)
    options.isQuiet = {
      looks.withLock {
        $0 += 1
        return $0 > 2
      }
    }
    let journal = place.journal
    try await place.run(options) { try await journal.tasks(key).allSatisfy(\.state.isOver) }
    #expect(server.requests.map(\.path) == ["/now", "/now", "/now", "/later"])
    #expect(looks.withLock { $0 } == 3)
  }
}
