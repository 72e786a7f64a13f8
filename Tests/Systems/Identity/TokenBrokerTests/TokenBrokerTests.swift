import ConfigurationFiles
import HTTPClient
import JSON
import Synchronization
import Testing
import Text

@testable import TokenBroker

private let one = ["api://one/Read"]

/// Gives a new token for each refresh, numbered; rotates the refresh token, and takes each once.
private func rotating(lifetime: Int = 3600) -> FakeServer {
  let state = Mutex<(count: Int, spent: Set<String>)>((1, []))
  return FakeServer { _, form in
    let secret = form["refresh_token"] ?? ""
    let number = state.withLock { state -> Int? in
      guard state.spent.insert(secret).inserted else { return nil }
      state.count += 1
      return state.count
    }
    guard let number else { return .refusal("invalid_grant", 70008) }
    let scope = (form["scope"] ?? "").replacing("offline_access", with: "")
    return .json(grantBody("at-\(number)", scope: scope, refresh: "rt-\(number)", lifetime: lifetime))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A broker of tokens` {
  @Test func `gives a token of the cache without asking anybody`() async throws {
    let place = try BrokerPlace(FakeServer())
    let account = try await place.signIn()
    #expect(account == Account(id: "u1.t1", username: "ann@example.com", name: "Ann", signedIn: true))
    let token = try await place.broker.token(scopes: ["API://one/read"])
    #expect(token.secret == Secret("at-1") && token.source == .cache && token.account == "u1.t1")
    #expect(token.expiresAt == place.clock.now + 3600)
    #expect(place.server.asked.isEmpty)
    #expect(try await place.broker.accounts() == [account])
  }

  @Test func `gets a token for another API with the same refresh token, and keeps both`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn()
    let two = try await place.broker.token(scopes: ["api://two/Write"])
    #expect(two.secret == Secret("at-2") && two.source == .identityProvider)
    let asked = try #require(place.server.asked.first)
    #expect(asked.path == "/contoso.onmicrosoft.com/oauth2/v2.0/token")
    #expect(asked.form["grant_type"] == "refresh_token" && asked.form["refresh_token"] == "rt-1")
    #expect(asked.form["scope"] == "api://two/Write openid profile offline_access")
    #expect(asked.form["client_info"] == "1" && asked.form["client_id"] == "client")
    #expect(asked.headers["client-request-id"]?.count == 36 && asked.maximumRedirects == 0)
    #expect(asked.isSentOnce)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-1"))
    #expect(try await place.broker.token(scopes: ["api://two/Write"]).secret == Secret("at-2"))
    #expect(place.server.asked.count == 1)
  }

  @Test func `spends the newest refresh token, and keeps the old one where none comes`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("a", refresh: nil)), .json(grantBody("b", refresh: "rt-3"))))
    try await place.signIn()
    for expected in ["a", "b"] {
      #expect(try await place.broker.token(scopes: one, forceRefresh: true).secret == Secret(expected))
    }
    place.server.queue(.json(grantBody("c")))
    _ = try await place.broker.token(scopes: one, forceRefresh: true)
    #expect(place.server.asked.map { $0.form["refresh_token"] } == ["rt-1", "rt-1", "rt-3"])
  }

  @Test func `refuses what no server could give`() async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn()
    await #expect(throws: AuthError.emptyScopes) { try await place.broker.token(scopes: []) }
    let error = await #expect(throws: AuthError.self) {
      try await place.broker.token(scopes: ["api://one/Read", "api://two/Read"])
    }
    #expect(error?.kind == .severalResources)
    for claims in ["", "[]", "{", "{\"a\":1} x"] {
      let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, claims: claims) }
      #expect(error?.kind == .invalidRequest)
    }
    #expect(place.server.asked.isEmpty)
  }

  @Test func `says who is not signed in`() async throws {
    let place = try BrokerPlace(FakeServer())
    let nobody = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
    #expect(nobody?.kind == .noAccount)
    try await place.signIn()
    let other = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, account: "bob") }
    #expect(other?.kind == .noAccount)
    for name in ["ANN@example.com", "u1.t1", "U1.T1"] {
      #expect(try await place.broker.token(scopes: one, account: name).secret == Secret("at-1"))
    }
  }

  @Test func `renews a token that is due or over, and gives it to everybody from then on`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn()
    place.clock.advance(by: 3299)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-1"))
    place.clock.advance(by: 1)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-2"))
    place.clock.advance(by: 5000)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-3"))
    #expect(try await place.broker.token(scopes: one).source == .cache)
  }

  @Test func `gives no token again that another process has replaced or deleted`() async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn()
    for _ in 0..<3 { #expect(try await place.broker.token(scopes: one).secret == Secret("at-1")) }
    let other = TokenCache(folder: place.cache.folder) { _ in }
    let identity = place.broker.identity("u1.t1")
    let place2 = CachePlace(
      account: "u1.t1", environment: identity.environment, client: "client", realm: "t1")
    let grant = try TokenGrant(
      ServerReply(status: 200, body: .object(grantBody("at-2").objectValue ?? [:])), server: "test")
    let now = place.clock.now
    try await other.change { $0.keep(grant, place: place2, asked: .standard, now: now) }
    for _ in 0..<3 { #expect(try await place.broker.token(scopes: one).secret == Secret("at-2")) }
    try await other.change { $0.signOut(identity) }
    let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
    #expect(error?.kind == .noAccount)
  }

  @Test func `trusts no token that was kept in the future`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn()
    place.clock.advance(by: -10)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-2"))
    place.clock.advance(by: 10_000_000)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-3"))
    place.clock.advance(by: -10_000_000)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-4"))
    #expect(try await place.broker.token(scopes: one).source == .cache)
  }

  @Test func `gives a token that is still good while the server is down, and the extended one after that`() async throws
  {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn(grantBody("at-1", more: ["ext_expires_in": 7200]))
    place.clock.advance(by: 3500)
    #expect(try await place.broker.token(scopes: one).source == .cache)
    place.clock.advance(by: 100)
    for answer in [Result<HTTPResponse, HTTPError>.raw("", status: 503), .refusal("temporarily_unavailable"), .down] {
      place.server.queue(answer)
      let token = try await place.broker.token(scopes: one)
      #expect(token.source == .extended && token.secret == Secret("at-1"))
      #expect(token.expiresAt == place.clock.now + 3600)
    }
    let forced = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, forceRefresh: true) }
    #expect(forced?.kind == .unreachable)
    place.clock.advance(by: 3600)
    let over = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
    #expect(over?.kind == .unreachable && over?.correlationID?.count == 36)
    #expect(try await place.broker.accounts().first?.signedIn == true)
  }

  @Test func `renews early when the server wants it`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn(grantBody("at-1", refresh: "rt-1", more: ["refresh_in": 600]))
    place.clock.advance(by: 599)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-1"))
    place.clock.advance(by: 1)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-2"))
  }

  @Test func `passes the cache over when forced or given claims`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn()
    #expect(try await place.broker.token(scopes: one, forceRefresh: true).secret == Secret("at-2"))
    let claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    #expect(try await place.broker.token(scopes: one, claims: claims).secret == Secret("at-3"))
    #expect(place.server.asked.last?.form["claims"] == claims)
  }

  @Test func `gives nobody a token again that an API refused, and asks once for all who were refused`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn()
    let refused = try await place.broker.token(scopes: one)
    for _ in 0..<3 {
      let token = try await place.broker.token(scopes: one, forceRefresh: true, refused: refused)
      #expect(token.secret == Secret("at-2"))
    }
    #expect(place.server.asked.count == 1)
  }

  @Test func `gives no older token, wider or narrower, for one that an API refused`() async throws {
    let place = try BrokerPlace(rotating())
    try await place.signIn(grantBody("at-1", scope: "openid api://one/Read api://one/Write", refresh: "rt-1"))
    let limit = TokenLimit([try ScopeList(one)])
    let narrow = try await place.broker.token(scopes: one, limit: limit)
    #expect(narrow.secret == Secret("at-2") && place.server.asked.count == 1)
    // Both came in the same second, and the user's session may be over for both.
    let next = try await place.broker.token(scopes: one, forceRefresh: true, refused: narrow)
    #expect(next.secret == Secret("at-3"))
    #expect(try await place.broker.token(scopes: one, limit: limit).secret == Secret("at-3"))
    place.clock.advance(by: 1)
    let wide = try await place.broker.token(scopes: ["api://one/Read", "api://one/Write"], forceRefresh: true)
    #expect(try await place.broker.token(scopes: one, forceRefresh: true, refused: next).secret == wide.secret)
  }

  @Test func `gives a caller no more than its limit, at once, cached, renewed, late and while the server is down`()
    async throws
  {
    let wide = "openid api://one/Read api://one/Write"
    let place = try BrokerPlace(FakeServer { _, _ in .json(grantBody("x", scope: wide)) })
    try await place.signIn(grantBody("at-1", scope: wide, refresh: "rt-1", more: ["ext_expires_in": 90_000]))
    let limit = TokenLimit([try ScopeList(one)])
    for seconds in [0, 1, 61, 4_000] {
      place.clock.advance(by: seconds)
      for isForced in [false, true] {
        let error = await #expect(throws: AuthError.self) {
          try await place.broker.token(scopes: one, forceRefresh: isForced, limit: limit)
        }
        #expect(error?.kind == .excessiveScopes && error?.names == ["api://one/Write"])
      }
    }
    place.server.queue(.down)
    place.clock.advance(by: 4_000)
    let down = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, limit: limit) }
    #expect(down?.kind == .unreachable)
    // Who may have all of it has it, and the refresh token is not spent for every refusal.
    let all = TokenLimit([try ScopeList(one), try ScopeList(["api://one/.default"])])
    #expect(try await place.broker.token(scopes: one, limit: all).secret == Secret("x"))
    let count = place.server.asked.count
    for _ in 0..<3 {
      _ = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, limit: limit) }
    }
    #expect(place.server.asked.count <= count + 1)
    #expect(TokenLimit([]).excess(of: ScopeList(granted: wide)).count == 2)
  }

  // MARK: What servers in the wild do

  @Test func `keeps what was granted under its own scopes, and does not ask again and again for more`() async throws {
    let place = try BrokerPlace(FakeServer { _, _ in .json(grantBody("x", scope: "openid api://one/Read")) })
    try await place.signIn()
    for _ in 0..<3 {
      let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: ["api://two/Read"]) }
      #expect(error?.kind == .insufficientScopes && error?.names == ["api://two/Read"])
    }
    #expect(place.server.asked.count == 1)
    #expect(try await place.broker.token(scopes: one).secret == Secret("x"))
    place.clock.advance(by: 61)
    await #expect(throws: AuthError.self) { try await place.broker.token(scopes: ["api://two/Read"]) }
    #expect(place.server.asked.count == 2)
  }

  @Test func `takes a grant without scopes for what was asked`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("x", scope: nil))))
    try await place.signIn()
    #expect(try await place.broker.token(scopes: ["api://two/Read"]).scopes.names == ["api://two/Read"])
  }

  @Test(arguments: [
    (Result<HTTPResponse, HTTPError>.refusal("invalid_grant", 70008), AuthError.Kind.interactionRequired, false),
    (.refusal("invalid_grant"), .interactionRequired, false), (.raw("", status: 400), .interactionRequired, true),
    (.refusal("invalid_grant", 50076), .interactionRequired, true),
    (.refusal("invalid_grant", 65001), .consentRequired, true), (.refusal("invalid_scope"), .invalidScope, true),
    (.refusal("invalid_client"), .clientNotAllowed, true), (.raw("<html>", status: 200), .invalidAnswer, true),
    (.json(["access_token": 5]), .invalidAnswer, true),
    (.json(["token_type": "mac", "access_token": "x"]), .invalidAnswer, true),
    (.raw("", status: 302), .invalidAnswer, true), (.raw("", status: 429), .rateLimited, true),
  ])
  func `keeps the account, and the refresh token unless the server says that it is over`(
    answer: Result<HTTPResponse, HTTPError>, kind: AuthError.Kind, keeps: Bool
  ) async throws {
    let place = try BrokerPlace(FakeServer(answer))
    try await place.signIn()
    place.clock.advance(by: 4000)
    let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
    #expect(error?.kind == kind)
    let account = try await place.broker.accounts().first
    #expect(account?.username == "ann@example.com" && account?.signedIn == keeps)
    if keeps { return }
    let again = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
    #expect(again?.kind == .interactionRequired && place.server.asked.count == 1)
  }

  @Test func `believes no lifetime that cannot be, and no tokens of somebody else`() async throws {
    let other = Base64URL.encode(Array(#"{"uid":"u2","utid":"t1"}"#.utf8))
    let place = try BrokerPlace(
      FakeServer(
        .json(grantBody("a", more: ["expires_in": 1e300])), .json(grantBody("b", more: ["expires_in": "120"])),
        .json(grantBody("c", more: ["expires_in": -7])), .json(grantBody("d", more: ["expires_in": []])),
        .json(grantBody("e", more: ["client_info": .string(other)]))))
    try await place.signIn()
    let lives = [TokenGrant.longestLifetime, 120, 0, 3600]
    for life in lives {
      let token = try await place.broker.token(scopes: one, forceRefresh: true)
      #expect(token.expiresAt - place.clock.now == life)
    }
    let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .invalidAnswer)
    #expect(try await place.broker.token(scopes: one).secret == Secret("d"))
  }

  @Test func `of OpenID Connect asks for less when the scopes of the standard are refused`() async throws {
    let authority = "https://id.example"
    let server = FakeServer { path, form in
      if path.hasSuffix("openid-configuration") {
        return .json(["issuer": "https://id.example", "token_endpoint": "https://id.example/token"])
      }
      if form["scope"] != "api://one/Read" { return .refusal("invalid_scope") }
      return .json(["access_token": "x", "token_type": "bearer"])
    }
    let place = try BrokerPlace(server, kind: .openIDConnect, authority: authority)
    try await place.signIn()
    #expect(try await place.broker.token(scopes: one, forceRefresh: true).secret == Secret("x"))
    #expect(server.asked.count == 3)
  }

  // MARK: Sign-out

  @Test func `forgets all of an account that signs out`() async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn()
    #expect(try await place.broker.signOut() == nil)
    #expect(try await place.broker.accounts().isEmpty)
    let text = String(decoding: try await place.cache.contents().json, as: UTF8.self)
    #expect(!text.contains("u1.t1") && !text.contains("at-1") && !text.contains("rt-1"))
    let error = await #expect(throws: AuthError.self) { try await place.broker.signOut() }
    #expect(error?.kind == .noAccount)
  }

  @Test(arguments: [200, 503]) func `revokes the refresh token where the server can`(status: Int) async throws {
    let server = FakeServer { path, _ in
      if path.hasSuffix("/revoke") { return .raw("", status: status) }
      return .json([
        "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
        "revocation_endpoint": "https://id.example/revoke",
      ])
    }
    let place = try BrokerPlace(server, kind: .openIDConnect, authority: "https://id.example")
    try await place.signIn()
    #expect(try await place.broker.signOut() == (status == 200))
    #expect(server.asked.last?.form["token"] == "rt-1")
    #expect(server.asked.last?.form["token_type_hint"] == "refresh_token")
    #expect(try await place.broker.accounts().isEmpty)
  }

  @Test(arguments: ["rt-1", "rt-2", "none"])
  func `revokes every refresh token of the account, and confirms it when the server took all`(refused: String)
    async throws
  {
    let server = FakeServer { path, form in
      if path.hasSuffix("/revoke") { return .raw("", status: form["token"] == refused ? 503 : 200) }
      return .json([
        "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
        "revocation_endpoint": "https://id.example/revoke",
      ])
    }
    let place = try BrokerPlace(server, kind: .openIDConnect, authority: "https://id.example")
    try await place.signIn()
    // As another program leaves it: a second one for the same account and client, under a key of its own.
    try await place.cache.change { contents in
      guard let first = contents.refreshTokens.first else { return }
      var object = first.object
      object["secret"] = "rt-2"
      if let second = CachedCredential(object, key: first.key + "openid") { contents.refreshTokens.append(second) }
    }
    #expect(try await place.broker.signOut() == (refused == "none"))
    let revoked = server.asked.filter { $0.path.hasSuffix("/revoke") }
    #expect(revoked.compactMap { $0.form["token"] }.sorted() == ["rt-1", "rt-2"])
    #expect(revoked.allSatisfy { $0.form["client_id"] == "client" })
  }

  @Test func `gives nothing back to who signed out while a refresh was on its way`() async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn()
    let identity = place.broker.identity("u1.t1")
    let cache = place.cache
    let server = FakeServer { _, _ in .json(grantBody("late")) }
    let transport: AuthTransport = { request throws(HTTPError) in
      _ = try? await cache.change { $0.signOut(identity) }
      return try await server.transport(request)
    }
    let broker = TokenBroker(place.broker.configuration, cache: cache, clock: place.clock.clock, transport: transport)
    let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .noAccount)
    #expect(try await cache.contents().accessTokens.isEmpty)
  }
}
