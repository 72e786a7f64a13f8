import ConfigurationFiles
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
}
