import HTTPClient
import Synchronization
import Testing
import Time

@testable import ContentClient

@Suite(.timeLimit(.minutes(1)))
struct `A retry policy` {
  @Test func `doubles its delay and spreads it`() {
    let policy = RetryPolicy(maximumAttempts: 4, firstDelay: 1, maximumWait: 100)
    let delays = (1...4).map { policy.delay(attempts: $0, retryAfter: nil, waited: 0, random: 1) }
    #expect(delays == [1, 2, 4, nil])
    #expect(policy.delay(attempts: 2, retryAfter: nil, waited: 0, random: 0) == 1)
  }

  @Test func `waits as long as the server asks, within its bound`() {
    let policy = RetryPolicy()
    #expect(policy.delay(attempts: 1, retryAfter: 4, waited: 0, random: 1) == 4)
    #expect(policy.delay(attempts: 1, retryAfter: 10, waited: 0, random: 1) == 10)
    #expect(policy.delay(attempts: 1, retryAfter: 11, waited: 0, random: 1) == nil)
    #expect(policy.delay(attempts: 2, retryAfter: 6, waited: 5, random: 1) == nil)
    #expect(policy.delay(attempts: 1, retryAfter: .max, waited: 0, random: 1) == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A request that fails` {
  static let far = try? ContentConfiguration(scheme: "https", host: "publish.example.com")

  @Test(arguments: [429, 500, 502, 503, 504]) func `is sent again for a status that may pass`(status: Int) async throws
  {
    let server = FakeAEM(.status(status), .status(status), .json(twoAdventures))
    let result = try await server.client().execute(query: adventures)
    #expect(result.source == .network)
    #expect(server.requests.count == 3)
    #expect(server.slept == [0.25, 0.5])
  }

  @Test func `is given up after three times`() async throws {
    let server = FakeAEM(.status(503), .status(503), .status(503), .json(twoAdventures))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.kind == .serverError)
    #expect(error?.httpStatus == 503)
    #expect(server.requests.count == 3)
  }

  @Test func `waits as long as the server asks`() async throws {
    let server = FakeAEM(
      .status(429, "", ["Retry-After": "3"]), .status(503, "", ["Retry-After": "Fri, 15 Jan 2027 08:00:05 GMT"]),
      .json(twoAdventures))
    _ = try await server.client().execute(query: adventures)
    #expect(server.slept == [3, 5])
  }

  @Test func `does not wait for longer than its bound`() async throws {
    let server = FakeAEM(.status(429, "", ["Retry-After": "3600"]))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.kind == .rateLimited)
    #expect(server.slept.isEmpty)
  }

  @Test(arguments: [([4, 6], true), ([4, 7], false), ([6, 6], false)])
  func `waits no longer in all than its bound`(pauses: [Int], isAnswered: Bool) async throws {
    let server = FakeAEM()
    for pause in pauses { server.answer(.status(503, "", ["Retry-After": "\(pause)"])) }
    server.answer(.json(twoAdventures))
    let result = try? await server.client().execute(query: adventures)
    #expect((result != nil) == isAnswered)
    #expect(server.slept == pauses.prefix(isAnswered ? 2 : 1).map { Double($0) })
    #expect(server.requests.count == (isAnswered ? 3 : 2))
  }

  @Test(arguments: [
    (HTTPError.Kind.connectionLost, 3), (.unreachable, 3), (.couldNotResolve, 3), (.timedOut, 1), (.tls, 1),
    (.invalidResponse, 1), (.undecodableBody, 1), (.tooLarge, 1),
  ])
  func `is sent again when it was lost, and not when it would go wrong again`(
    kind: HTTPError.Kind, count: Int
  ) async throws {
    let server = FakeAEM(.down(kind), .down(kind), .down(kind), .json(twoAdventures))
    await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(server.requests.count == count)
  }

  @Test func `is sent again when no connection was made`() async throws {
    let server = FakeAEM(.down(.refused), .down(.couldNotResolve), .json(twoAdventures))
    _ = try await server.client(try #require(Self.far)).execute(query: adventures)
    #expect(server.requests.count == 3)
  }

  @Test func `fails at once when nobody listens on this machine`() async throws {
    let server = FakeAEM(.down(.refused), .json(twoAdventures))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.message == "No server answers at http://127.0.0.1:4503.")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [400, 401, 403, 404, 405]) func `is not sent again for a status that stays`(status: Int) async throws
  {
    let server = FakeAEM(.status(status), .json(twoAdventures))
    await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(server.requests.count == 1)
  }

  @Test func `is not sent again when nobody waits any more`() async throws {
    let server = FakeAEM(.status(503), .json(twoAdventures))
    let client = server.client()
    let error = await #expect(throws: ContentError.self) {
      try await withThrowingTaskGroup { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await client.execute(query: adventures)
        }
        try await group.waitForAll()
      }
    }
    #expect(error?.kind == .cancelled)
    #expect(server.requests.count == 1)
  }

  @Test func `never gets more time than is left`() async throws {
    var limits = ContentClient.Limits()
    limits.timeout = 5
    let server = FakeAEM(.status(503), .json(twoAdventures))
    _ = try await server.client(limits: limits).execute(query: adventures)
    // What it takes to get a token is a part of the time, too.
    let timeouts = server.requests.compactMap(\.timeout)
    try #require(timeouts.count == 2)
    #expect(timeouts[0] <= .seconds(5) && timeouts[1] < timeouts[0] && timeouts[1] > .zero)
  }

  @Test func `has all the time that the one before took taken from what is left`() async throws {
    let seen = Mutex<[(timeout: Duration, took: Duration)]>([])
    let transport: ContentTransport = { request throws(HTTPError) in
      let begin = ContinuousClock.now
      // So much that half of it could be told apart.
      while ContinuousClock.now - begin < .milliseconds(5) {}
      return try seen.withLock { seen -> FakeAEM.Answer in
        seen.append((request.timeout ?? .zero, ContinuousClock.now - begin))
        return seen.count < 3 ? .status(503) : .json(twoAdventures)
      }.get()
    }
    let client = ContentClient(
      configuration: ContentConfiguration(), cachePath: nil, imageCachePath: nil, transport: transport,
      clock: WallClock(now: { UnixTime(seconds: 1_800_000_000) }, sleep: { _ in }, random: { 1 }),
      limits: ContentClient.Limits(), report: { _ in })
    _ = try await client.execute(query: adventures)
    let requests = seen.withLock { $0 }
    #expect(requests.count == 3)
    var left = Duration.seconds(15)
    for request in requests {
      // A number of seconds is exact to some attoseconds.
      #expect(request.timeout <= left + .nanoseconds(1) && request.timeout > .zero)
      left -= request.took
    }
  }
}
