import ConfigurationFiles
import EventLoop
import Files
import HTTPClient
import JSON
import Synchronization
import Testing

@testable import TokenBroker

private let one = ["api://one/Read"]

/// What happens to the cache while a refresh is at the server.
@Suite(.timeLimit(.minutes(1)))
struct `A refresh that is overtaken` {
  private static let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

  private static func grant(_ token: String, refresh: String) throws -> TokenGrant {
    let body = grantBody(token, refresh: refresh).objectValue ?? [:]
    return try TokenGrant(ServerReply(status: 200, body: .object(body)), server: "test")
  }

  /// A broker on the cache of a place; something else happens whenever it asks the server.
  private func broker(
    _ place: BrokerPlace, meanwhile: @escaping @Sendable () async throws -> Void
  ) -> TokenBroker {
    let server = place.server
    let transport: AuthTransport = { request throws(HTTPError) in
      do { try await meanwhile() } catch { Issue.record(error) }
      return try await server.transport(request)
    }
    return TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
  }

  @Test func `by a newer sign-in leaves what the sign-in brought`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("late", refresh: "rt-late"))))
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    let (cache, now) = (place.cache, place.clock.now)
    let newer = try Self.grant("new", refresh: "rt-new")
    let broker = broker(place) {
      let facts = AccountFacts(newer, username: "ann@example.com")
      let cachePlace = CachePlace(
        account: "u1.t1", environment: identity.environment, client: identity.client, realm: "t1")
      _ = try await cache.change {
        $0.signIn(newer, place: cachePlace, facts: facts, asked: .standard, replacing: true, now: now)
      }
    }
    let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .noAccount)
    let contents = try await cache.contents()
    #expect(contents.refreshToken(of: identity)?.secret == Secret("rt-new"))
    #expect(contents.accessTokens.map(\.secret) == [Secret("new")])
    #expect(try await place.broker.token(scopes: one).secret == Secret("new"))
  }

  @Test func `by a newer sign-in ends nothing of it, though the server refuses the old one`() async throws {
    let place = try BrokerPlace(FakeServer(.refusal("invalid_grant", 70008)))
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    let (cache, now) = (place.cache, place.clock.now)
    let newer = try Self.grant("new", refresh: "rt-new")
    let broker = broker(place) {
      let cachePlace = CachePlace(
        account: "u1.t1", environment: identity.environment, client: identity.client, realm: "t1")
      _ = try await cache.change { $0.keep(newer, place: cachePlace, asked: .standard, now: now) }
    }
    let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .interactionRequired)
    #expect(try await cache.contents().refreshToken(of: identity)?.secret == Secret("rt-new"))
    #expect(try await place.broker.token(scopes: one).secret == Secret("new"))
  }

  @Test func `by another process does not answer a demand for claims`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("other")), .json(grantBody("with-claims"))))
    try await place.signIn()
    let refused = try await place.broker.token(scopes: one)
    // An API refuses at-1 and demands claims; meanwhile somebody else has got a token, without them.
    _ = try await place.broker.token(scopes: one, forceRefresh: true)
    let token = try await place.broker.token(scopes: one, claims: Self.claims, refused: refused)
    #expect(token.secret == Secret("with-claims"))
    #expect(place.server.asked.map { $0.form["claims"] } == [nil, Self.claims])
  }

  @Test func `by one that is on its way does not answer a demand for claims`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("other")), .json(grantBody("with-claims"))))
    try await place.signIn()
    let refused = try await place.broker.token(scopes: one)
    let waits = Mutex(true)
    let box = Mutex<TokenBroker?>(nil)
    let broker = broker(place) {
      // The first request stays at the server until somebody waits for its end.
      guard
        waits.withLock({ waits in
          defer { waits = false }; return waits
        })
      else { return }
      while await box.withLock({ $0 })?.flights.values.first?.isEmpty != false { await Task.yield() }
    }
    box.withLock { $0 = broker }
    let secrets = try await withThrowingTaskGroup(of: String.self) { group in
      group.addTask { try await broker.token(scopes: one, forceRefresh: true).secret.revealed() }
      while place.server.asked.isEmpty, await broker.flights.isEmpty { await Task.yield() }
      group.addTask {
        try await broker.token(scopes: one, claims: Self.claims, refused: refused).secret.revealed()
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(secrets == ["other", "with-claims"])
    #expect(place.server.asked.map { $0.form["claims"] } == [nil, Self.claims])
  }

  @Test(arguments: [false, true])
  func `by another process while it waits for its turn takes what that one got`(isForced: Bool) async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    let other = TokenCache(folder: place.cache.folder) { _ in }
    if !isForced { place.clock.advance(by: 4_000) }
    let (newer, now) = (try Self.grant("new", refresh: "rt-new"), place.clock.now)
    let lock = try await other.lockForRefresh(identity)
    async let token = place.broker.token(scopes: one, forceRefresh: isForced)
    while await place.broker.flights.isEmpty { await Task.yield() }
    let cachePlace = CachePlace(
      account: "u1.t1", environment: identity.environment, client: identity.client, realm: "t1")
    try await other.change { $0.keep(newer, place: cachePlace, asked: .standard, now: now) }
    lock.unlock()
    let found = try await token
    #expect(found.secret == Secret("new") && place.server.asked.isEmpty)
  }

  @Test func `by a sign-out while it waits for its turn asks for nothing`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("late"))))
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    let other = TokenCache(folder: place.cache.folder) { _ in }
    let lock = try await other.lockForRefresh(identity)
    async let token = place.broker.token(scopes: one, forceRefresh: true)
    while await place.broker.flights.isEmpty { await Task.yield() }
    try await other.change { $0.signOut(identity) }
    lock.unlock()
    do {
      _ = try await token
      Issue.record("A token was given.")
    } catch {
      #expect((error as? AuthError)?.kind == .noAccount)
    }
    #expect(place.server.asked.isEmpty)
    #expect(try await other.contents().accessTokens.isEmpty)
  }

  @Test func `by a sign-out has the refresh token ended that it brought, and not the spent one`() async throws {
    let server = FakeServer { path, _ in
      if path.hasSuffix("/revoke") { return .raw("", status: 200) }
      return .json([
        "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
        "revocation_endpoint": "https://id.example/revoke",
      ])
    }
    let place = try BrokerPlace(server, kind: .openIDConnect, authority: "https://id.example")
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    // Another process is at the server with the refresh token.
    let other = TokenCache(folder: place.cache.folder) { _ in }
    let lock = try await other.lockForRefresh(identity)
    async let answer = place.broker.signOut()
    // For longer than a sign-out takes that waits for nobody.
    for number in 0..<20 { try await other.change { $0.others["\(number)"] = true } }
    let (newer, now) = (try Self.grant("new", refresh: "rt-new"), place.clock.now)
    let cachePlace = CachePlace(
      account: "u1.t1", environment: identity.environment, client: identity.client, realm: "t1")
    try await other.change { $0.keep(newer, place: cachePlace, asked: .standard, now: now) }
    lock.unlock()
    let isRevoked = try await answer
    #expect(isRevoked == true)
    #expect(server.asked.filter { $0.path == "/revoke" }.map { $0.form["token"] } == ["rt-new"])
    let contents = try await other.contents()
    #expect(contents.refreshTokens.isEmpty && contents.accessTokens.isEmpty)
  }

  @Test func `by the end of the broker is made anew for who waited for it, and not cancelled`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2"))))
    try await place.signIn()
    let asked = Signal()
    let isEnding = Mutex(false)
    let box = Mutex<TokenBroker?>(nil)
    let transport: AuthTransport = { request throws(HTTPError) in
      if isEnding.withLock({ $0 }) { return try await place.server.transport(request) }
      asked.send()
      await untilCancelled()
      // Nobody makes refreshes for others any more when this one ends.
      while await box.withLock({ $0 })?.jobs != nil { await Task.yield() }
      isEnding.withLock { $0 = true }
      throw HTTPError(.cancelled, "It was cancelled.", url: request.url)
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    box.withLock { $0 = broker }
    @Sendable func outcome() async -> String {
      do throws(AuthError) {
        return try await broker.token(scopes: one, forceRefresh: true).secret.revealed()
      } catch { return error.kind.rawValue }
    }
    let run = Task { await broker.run() }
    while await broker.jobs == nil { await Task.yield() }
    let first = Task { await outcome() }
    try await asked.wait(past: 0)
    let second = Task { await outcome() }
    while await broker.flights.values.first?.count != 2 { await Task.yield() }
    run.cancel()
    let outcomes = [await first.value, await second.value]
    #expect(outcomes == ["busy", "at-2"])
    await run.value
  }
}
