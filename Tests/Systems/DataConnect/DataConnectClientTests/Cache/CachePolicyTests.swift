import DataConnectClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import Time

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let time = Mutex(1_000_000)
  private var now: UnixTime {
    let time = time.withLock { $0 }
    return UnixTime(seconds: Int64(time / 1_000), nanoseconds: Int32(time % 1_000 * 1_000_000))
  }
  func pass(_ milliseconds: Int) { time.withLock { $0 += milliseconds } }
  var clock: WallClock {
    WallClock(now: { self.now }, sleep: { _ in try await never() }, random: { 0.5 })
  }
}

/// Waits until it is cancelled.
func never() async throws {
  let (stream, source) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  source.finish()
  try Task.checkCancellation()
}

@Suite(.timeLimit(.minutes(1)))
struct `The cache of Data Connect` {
  let list = DataOperation("listMovies", kind: .query, variables: ["a": 1, "b": 2])
  let use = CacheSettings(storage: .memory, maxAge: .seconds(10))
  let time = TestClock()

  func run(
    _ stub: StubServer, folder: String? = nil, _ body: (DataConnectClient, DataConnectEndpoint) async throws -> Void
  )
    async throws
  {
    try await stub.run(cacheFolder: folder, clock: time.clock, body)
  }

  @Test func `A fresh result is kept, a stale one asked for again`() async throws {
    let stub = StubServer([.json(["data": ["n": 1]]), .json(["data": ["n": 2]])])
    try await run(stub) { client, endpoint in
      try await #expect(client.execute(list, at: endpoint, cache: use) == DataResponse(data: ["n": 1], source: .server))
      time.pass(9_999)
      let same = DataOperation("listMovies", kind: .query, variables: ["b": 2, "a": 1])
      try await #expect(client.execute(same, at: endpoint, cache: use) == DataResponse(data: ["n": 1], source: .cache))
      time.pass(1)
      try await #expect(client.execute(list, at: endpoint, cache: use) == DataResponse(data: ["n": 2], source: .server))
    }
  }

  @Test func `Without a cache the server is asked each time, and there is nothing for the cache alone`() async throws {
    let stub = StubServer(["data": ["n": 1]])
    try await run(stub) { client, endpoint in
      for _ in 0..<2 { try await #expect(client.execute(list, at: endpoint).source == .server) }
      let response = try await client.execute(list, at: endpoint, policy: .cacheOnly)
      #expect(response == DataResponse(data: nil, source: .cache))
    }
    #expect(stub.requests.count == 2)
  }

  @Test func `The cache alone gives stale results, and none without asking`() async throws {
    let stub = StubServer(["data": ["n": 1]])
    try await run(stub) { client, endpoint in
      let none = try await client.execute(list, at: endpoint, policy: .cacheOnly, cache: use)
      #expect(none == DataResponse(data: nil, source: .cache))
      #expect(stub.requests.isEmpty)
      _ = try await client.execute(list, at: endpoint, cache: use)
      time.pass(1_000_000)
      let stale = try await client.execute(list, at: endpoint, policy: .cacheOnly, cache: use)
      #expect(stale == DataResponse(data: ["n": 1], source: .cache))
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `The server alone renews what is kept`() async throws {
    let stub = StubServer([.json(["data": ["n": 1]]), .json(["data": ["n": 2]])])
    try await run(stub) { client, endpoint in
      _ = try await client.execute(list, at: endpoint, cache: use)
      _ = try await client.execute(list, at: endpoint, policy: .serverOnly, cache: use)
      try await #expect(client.execute(list, at: endpoint, cache: use).data == ["n": 2])
    }
    #expect(stub.requests.count == 2)
  }

  @Test func `The age that the server says counts`() async throws {
    let hints: JSONValue = ["dataConnect": [["path": [], "maxAge": "20.5s"], ["path": ["n"], "maxAge": "x"]]]
    let stub = StubServer(["data": ["n": 1], "extensions": hints])
    try await run(stub) { client, endpoint in
      _ = try await client.execute(list, at: endpoint, cache: use)
      time.pass(20_499)
      try await #expect(client.execute(list, at: endpoint, cache: use).source == .cache)
      time.pass(1)
      try await #expect(client.execute(list, at: endpoint, cache: use).source == .server)
    }
  }

  @Test func `An empty list at the root is kept as one`() async throws {
    let hints: JSONValue = ["dataConnect": [["path": ["movies"], "entityIds": []]]]
    let stub = StubServer(["data": ["movies": []], "extensions": hints])
    try await run(stub) { client, endpoint in
      _ = try await client.execute(list, at: endpoint, cache: use)
      try await #expect(
        client.execute(list, at: endpoint, cache: use) == DataResponse(data: ["movies": []], source: .cache))
    }
  }

  @Test func `What has errors is not kept`() async throws {
    let stub = StubServer(["data": ["n": 1], "errors": [["message": "no"]]])
    try await run(stub) { client, endpoint in
      for _ in 0..<2 { try await #expect(client.execute(list, at: endpoint, cache: use).source == .server) }
    }
  }

  @Test func `Sixteen users have a place in memory, and who was away for longest gives way`() async throws {
    let use = CacheSettings(storage: .memory, maxAge: .seconds(1_000))
    let stub = StubServer(["data": ["n": 1]])
    try await run(stub) { client, endpoint in
      func kept(_ user: Int) async throws -> JSONValue? {
        try await client.execute(list, at: endpoint, as: "u\(user)", policy: .cacheOnly, cache: use).data
      }
      for user in 0..<16 { _ = try await client.execute(list, at: endpoint, as: "u\(user)", cache: use) }
      // Longer than a result is at hand without its place.
      time.pass(10_000)
      for user in 0..<16 { try await #expect(kept(user) == ["n": 1], "\(user)") }
      time.pass(10_000)
      try await #expect(kept(0) == ["n": 1])
      _ = try await client.execute(list, at: endpoint, as: "u16", cache: use)
      for user in [0, 16, 15, 2] { try await #expect(kept(user) == ["n": 1], "\(user)") }
      try await #expect(kept(1) == nil)
    }
    #expect(stub.requests.count == 17)
  }

  @Test func `Each user, connector and storage has its own`() async throws {
    let directory = try TemporaryDirectory()
    let stub = StubServer(["data": ["n": 1]])
    try await run(stub, folder: directory.file("cache")) { client, endpoint in
      let kept = CacheSettings(storage: .persistent, maxAge: .seconds(10))
      var other = endpoint
      other.connector = "actors"
      for (endpoint, user, use) in [
        (endpoint, "ann", kept), (endpoint, "bob", kept), (endpoint, nil, kept), (other, "ann", kept),
        (endpoint, "ann", use),
      ] {
        try await #expect(client.execute(list, at: endpoint, as: user, cache: use).source == .server)
        try await #expect(client.execute(list, at: endpoint, as: user, cache: use).source == .cache)
      }
    }
    #expect(stub.requests.count == 5)
  }
}
