import Foundation
import HTTPClient
import Synchronization
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct `A download` {
  let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  @Test func `appears whole, and its owner is told`() async throws {
    let body = pattern(300_000)
    let server = try FaultyServer { request, _ in .file(body, tag: "\"1\"", for: request) }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url + "/file", to: "folder/deeper/a")
    try await place.runAll()
    #expect(place.content("folder/deeper/a") == body)
    #expect(place.journals.files.isEmpty)
    let events = try await place.events()
    #expect(events.map(\.kind) == [.didFinishDownloading, .didComplete])
    #expect(events[0].path == "folder/deeper/a" && events[0].task == id)
    #expect(events[1].response?.status == 200 && events[1].error == nil)
    #expect(events[1].response?.headers["ETag"] == "\"1\"")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `goes on where the connection broke, at whatever byte`(seed: UInt64) async throws {
    let body = pattern(200_000, seed: seed)
    let cuts = pattern(6, seed: seed + 100).map { Int($0) * 150 }
    let server = try FaultyServer { request, index in
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      if index < cuts.count {
        reply.length = reply.body.count
        reply.cut = cuts[index]
      }
      return reply
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == body)
    #expect(try await place.events().count == 2)
    let sent = server.requests
    #expect(sent.count == cuts.count + 1)
    // Nothing is fetched twice.
    var expected = 0
    for (index, request) in sent.enumerated() {
      #expect(request.first ?? 0 == expected)
      #expect(request.headers["if-range"] == (expected > 0 ? "\"1\"" : nil))
      if index < cuts.count { expected += cuts[index] }
    }
  }

  @Test func `begins again when the file has changed, and never mixes two versions`() async throws {
    let (old, new) = (pattern(100_000, seed: 1), pattern(90_000, seed: 2))
    let server = try FaultyServer { request, index in
      if index == 0 {
        var reply = FaultyServer.Reply.file(old, tag: "\"old\"", for: request)
        (reply.length, reply.cut) = (old.count, 40_000)
        return reply
      }
      return .file(new, tag: "\"new\"", for: request)
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == new)
    #expect(place.journals.files.isEmpty)
    #expect(server.requests.map { $0.first ?? 0 } == [0, 40_000, 0])
  }

  @Test(arguments: ["tag", "total", "range"])
  func `is not taken in by a server that sends the rest of another version`(lie: String) async throws {
    let (old, new) = (pattern(100_000, seed: 1), pattern(100_000, seed: 2))
    let server = try FaultyServer { request, index in
      if index == 0 {
        var reply = FaultyServer.Reply.file(old, tag: "\"old\"", for: request)
        (reply.length, reply.cut) = (old.count, 40_000)
        return reply
      }
      guard let first = request.first else { return .file(new, tag: "\"new\"", for: request) }
      let tag = lie == "tag" ? "\"new\"" : "\"old\""
      let total = lie == "total" ? new.count + 1 : new.count
      let start = lie == "range" ? first + 1 : first
      return FaultyServer.Reply(
        status: 206, headers: [("ETag", tag), ("Content-Range", "bytes \(start)-\(total - 1)/\(total)")],
        body: Array(new[first...]))
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == new)
  }

  @Test func `begins again without a version that could be relied on`() async throws {
    let body = pattern(50_000)
    let server = try FaultyServer { request, index in
      FaultyServer.Reply(
        headers: [("ETag", "W/\"1\"")], body: body, length: body.count, cut: index == 0 ? 10_000 : nil)
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == body)
    #expect(server.requests.map(\.first) == [nil, nil])
  }

  @Test func `is not over when the server sends less than it said`() async throws {
    let body = pattern(1000)
    let server = try FaultyServer { _, index in
      FaultyServer.Reply(body: body, length: index < 3 ? 2000 : 1000)
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == body)
    #expect(server.requests.count == 4)
  }

  @Test func `goes on after a silence`() async throws {
    let body = pattern(50_000)
    let server = try FaultyServer { request, index in
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      if index == 0 { (reply.length, reply.cut, reply.isSilent) = (body.count, 20_000, true) }
      return reply
    }
    defer { server.stop() }
    var configuration = SessionConfiguration()
    configuration.timeoutForRequest = .seconds(3)
    try await place.open(configuration)
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == body)
    #expect(server.requests.map(\.first) == [nil, 20_000])
  }

  @Test(arguments: [401, 403, 404, 410]) func `of an error is the error's page`(status: Int) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: status, body: Array("no".utf8)) }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == Array("no".utf8))
    #expect(try await place.events().last?.response?.status == status)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `outlasts a storm of errors`(status: Int) async throws {
    let server = try FaultyServer { _, index in
      index < 20 ? FaultyServer.Reply(status: status, body: [1]) : FaultyServer.Reply(body: [2])
    }
    defer { server.stop() }
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.content() == [2])
    #expect(server.requests.count == 21)
  }

  @Test func `waits as long as the server asks`() async throws {
    let server = try FaultyServer { _, index in
      index == 0 ? FaultyServer.Reply(status: 429, headers: [("Retry-After", "4000")]) : FaultyServer.Reply(body: [2])
    }
    defer { server.stop() }
    let before = place.journals.clock.now
    try await place.open()
    try await place.download(server.url)
    try await place.runAll()
    #expect(place.journals.clock.now.elapsed(since: before) >= .seconds(4000))
    #expect(place.content() == [2])
  }

  @Test func `is given up when the time of the session has passed`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(status: 503) }
    defer { server.stop() }
    var configuration = SessionConfiguration()
    configuration.timeoutForResource = .seconds(100)
    try await place.open(configuration)
    try await place.download(server.url)
    try await place.runAll()
    #expect(try await place.failure()?.code == -1001)
    #expect(place.content() == nil && place.journals.files.isEmpty)
    // With pauses of 0.75, 1.5, 3 … seconds.
    #expect(server.requests.count < 12)
  }

  @Test func `says once that it waits for the network, and goes on with it`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [1]) }
    let port = server.port
    server.stop()
    try await place.open()
    let journal = place.journal
    let key = place.key
    try await place.download("http://127.0.0.1:\(port)/")
    try await place.run { try await journal.tasks(key).contains { $0.attempts >= 3 } }
    #expect(try await place.events().map(\.kind) == [.waitingForConnectivity])
    let again = try FaultyServer(port: port) { _, _ in FaultyServer.Reply(body: [1]) }
    defer { again.stop() }
    try await place.runAll()
    #expect(try await place.events().map(\.kind) == [.waitingForConnectivity, .didFinishDownloading, .didComplete])
  }

  @Test func `with another checksum never appears`() async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: Array("abc".utf8)) }
    defer { server.stop() }
    try await place.open()
    let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    try await place.download(server.url, to: "right", sha256: right)
    try await place.download(server.url, to: "wrong", sha256: String(right.reversed()))
    try await place.runAll()
    #expect(place.content("right") == Array("abc".utf8) && place.content("wrong") == nil)
    #expect(try await place.events().compactMap { $0.error?.code } == [-1011])
    #expect(place.journals.files.isEmpty)
  }
}
