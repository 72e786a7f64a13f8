import ConfigurationFiles
import JSON
import Testing

@testable import TokenBroker

/// A server that grants less than is asked for is not asked for the same again at once.
@Suite(.timeLimit(.minutes(1)))
struct `A shortfall of scopes` {
  private func ask(_ account: String = "a", _ scopes: [String] = ["api://one/Read"], isForced: Bool = false) throws
    -> TokenAsk
  {
    var ask = TokenAsk(
      identity: CacheIdentity(account: account, environment: "e", client: "c"), scopes: try ScopeList(scopes))
    ask.isForced = isForced
    return ask
  }

  private static let error = AuthError(.insufficientScopes, "Too little.")

  @Test func `holds for a minute to the second, for the same question only`() throws {
    var shortfalls = Shortfalls()
    shortfalls.add(Self.error, for: try ask(), now: 1_000)
    #expect(shortfalls.error(for: try ask(), now: 1_000)?.kind == .insufficientScopes)
    #expect(shortfalls.error(for: try ask(), now: 1_059) != nil)
    #expect(shortfalls.error(for: try ask(), now: 1_060) == nil)
    // The clock was set back.
    #expect(shortfalls.error(for: try ask(), now: 999) == nil)
    #expect(shortfalls.error(for: try ask("b"), now: 1_000) == nil)
    #expect(shortfalls.error(for: try ask("a", ["api://one/Write"]), now: 1_000) == nil)
    #expect(shortfalls.error(for: try ask(isForced: true), now: 1_000) == nil)
    var limited = try ask()
    limited.limit = TokenLimit([])
    #expect(shortfalls.error(for: limited, now: 1_000) == nil)
  }

  @Test func `is forgotten with its account, and not with another`() throws {
    var shortfalls = Shortfalls()
    for account in ["a", "b"] { shortfalls.add(Self.error, for: try ask(account), now: 1) }
    shortfalls.forget(try ask("a").identity)
    #expect(shortfalls.error(for: try ask("a"), now: 1) == nil)
    #expect(shortfalls.error(for: try ask("b"), now: 1) != nil)
  }

  @Test func `is one of 256 at most, and makes place when its time is over`() throws {
    var shortfalls = Shortfalls()
    for number in 0..<257 { shortfalls.add(Self.error, for: try ask("\(number)"), now: 1) }
    #expect(shortfalls.error(for: try ask("255"), now: 1) != nil)
    #expect(shortfalls.error(for: try ask("256"), now: 1) == nil)
    shortfalls.add(Self.error, for: try ask("257"), now: 61)
    #expect(shortfalls.error(for: try ask("257"), now: 61) != nil)
  }

  @Test(arguments: [false, true])
  func `of before counts for nothing once the user has signed in anew`(signsOutBefore: Bool) async throws {
    let server = FakeServer { _, form in
      .json(grantBody("at-2", scope: form["refresh_token"] == "rt-1" ? "openid profile api://one/Read" : form["scope"]))
    }
    let place = try BrokerPlace(server)
    try await place.signIn()
    for _ in 0..<2 {
      let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: ["api://two/Write"]) }
      #expect(error?.kind == .insufficientScopes)
    }
    #expect(server.asked.count == 1)
    if signsOutBefore { try await place.broker.signOut() }
    try await place.signIn(grantBody("at-3", refresh: "rt-3"))
    #expect(try await place.broker.token(scopes: ["api://two/Write"]).secret == Secret("at-2"))
    #expect(server.asked.count == 2)
  }

  @Test func `is gone after a sign-out, also when another program signs in then`() async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2", scope: "openid profile api://one/Read")) }
    let place = try BrokerPlace(server)
    try await place.signIn()
    _ = try? await place.broker.token(scopes: ["api://two/Write"])
    try await place.broker.signOut()
    let other = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: server.transport)
    let body = grantBody("at-3", refresh: "rt-3").objectValue ?? [:]
    let grant = try TokenGrant(ServerReply(status: 200, body: .object(body)), server: "test")
    _ = try await other.signedIn(grant, username: "ann@example.com", asked: .standard)
    _ = try? await place.broker.token(scopes: ["api://two/Write"])
    #expect(server.asked.map { $0.form["refresh_token"] } == ["rt-1", "rt-3"])
  }

  @Test func `and every token of before is gone with a new sign-in of the same account`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2", scope: "api://two/Write openid profile"))))
    try await place.signIn()
    #expect(try await place.broker.token(scopes: ["api://two/Write"]).secret == Secret("at-2"))
    try await place.signIn(grantBody("at-3", refresh: "rt-3"))
    #expect(try await place.cache.contents().accessTokens.map(\.secret) == [Secret("at-3")])
  }
}

/// A token that will soon be over is renewed in the background, while the old one still does.
@Suite(.timeLimit(.minutes(1)))
struct `An early refresh` {
  private static let one = ["api://one/Read"]

  /// Asks for a token whose time to refresh has come, and waits until nothing is on its way.
  private func ask(_ place: BrokerPlace) async throws {
    _ = try await place.broker.token(scopes: Self.one)
    while await !place.broker.flights.isEmpty { await Task.yield() }
  }

  private func running(_ server: FakeServer, _ body: (BrokerPlace) async throws -> Void) async throws {
    let place = try BrokerPlace(server)
    try await place.signIn()
    place.clock.advance(by: 3_301)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await place.broker.run() }
      while await place.broker.jobs == nil { await Task.yield() }
      try await body(place)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  @Test func `that failed is tried again after ten seconds, and at once when the clock was set back`() async throws {
    let server = FakeServer { _, _ in .raw("", status: 500) }
    try await running(server) { place in
      for (seconds, count) in [(0, 1), (0, 1), (9, 1), (1, 2), (9, 2), (-10, 3), (1, 3)] {
        place.clock.advance(by: seconds)
        try await ask(place)
        #expect(server.asked.count == count, "after \(seconds) seconds")
      }
    }
  }

  @Test(arguments: [false, true]) func `is not put off by one from before a new sign-in`(signsOut: Bool) async throws {
    let server = FakeServer { _, _ in .raw("", status: 500) }
    try await running(server) { place in
      try await ask(place)
      if signsOut { try await place.broker.signOut() }
      try await place.signIn(grantBody("at-2", refresh: "rt-2", lifetime: 200))
      try await ask(place)
      #expect(server.asked.map { $0.form["refresh_token"] } == ["rt-1", "rt-2"])
    }
  }

  @Test func `is not made for a token that was refused, which is not given again either`() async throws {
    let server = FakeServer { _, _ in .raw("", status: 500) }
    try await running(server) { place in
      let refused = try await place.broker.token(scopes: Self.one)
      let error = await #expect(throws: AuthError.self) {
        try await place.broker.token(scopes: Self.one, refused: refused)
      }
      #expect(error?.kind == .serverUnavailable)
    }
  }
}
