import ConfigurationFiles
import HTTPClient
import JSON
import Testing
import Text

@testable import TokenBroker

private let one = ["api://one/Read"]

/// Which account a call is about, where there are none, one or several.
@Suite(.timeLimit(.minutes(1)))
struct `The account of a call` {
  private static func grant(_ token: String, _ user: String, _ username: String) -> JSONValue {
    let info = Base64URL.encode(Array(#"{"uid":"\#(user)","utid":"t1"}"#.utf8))
    let id = idToken(["preferred_username": .string(username), "sub": .string("subject of \(user)")])
    return grantBody(token, refresh: "rt-\(user)", more: ["client_info": .string(info), "id_token": .string(id)])
  }

  private func place(_ server: FakeServer = FakeServer()) throws -> BrokerPlace {
    try BrokerPlace(server, kind: .openIDConnect, authority: "https://id.example")
  }

  @Test func `is named where there are several, by its identifier or its user's name`() async throws {
    let place = try place()
    try await place.signIn(Self.grant("at-a", "u1", "ann@example.com"))
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-a"))
    try await place.signIn(Self.grant("at-b", "u2", "bob@example.com"))
    for _ in 0..<2 {
      let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one) }
      #expect(error?.kind == .noAccount && error?.names == ["ann@example.com", "bob@example.com"])
      for (account, secret) in [
        ("BOB@example.com", "at-b"), ("u1.t1", "at-a"), ("U2.T1", "at-b"), ("ann@example.com", "at-a"),
      ] {
        #expect(try await place.broker.token(scopes: one, account: account).secret == Secret(secret))
      }
    }
    let subject = await #expect(throws: AuthError.self) { try await place.broker.subject() }
    let token = await #expect(throws: AuthError.self) { try await place.broker.idToken() }
    #expect(subject?.names.count == 2 && token?.names.count == 2)
    #expect(try await place.broker.subject(account: "bob@example.com") == "subject of u2")
    try await place.broker.signOut("u2.t1")
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-a"))
    let gone = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, account: "u2.t1") }
    #expect(gone?.kind == .noAccount && gone?.names == [])
    #expect(try await place.broker.accounts().map(\.id) == ["u1.t1"])
  }

  @Test func `is none that two have under one name`() async throws {
    let place = try place()
    for user in ["u1", "u2"] { try await place.signIn(Self.grant("at-\(user)", user, "ann@example.com")) }
    let error = await #expect(throws: AuthError.self) {
      try await place.broker.token(scopes: one, account: "ann@example.com")
    }
    #expect(error?.kind == .noAccount && error?.names == ["ann@example.com", "ann@example.com"])
    #expect(try await place.broker.token(scopes: one, account: "u2.t1").secret == Secret("at-u2"))
  }

  @Test func `is absent, and no error, for an id token where nobody is signed in and nobody is named`() async throws {
    let place = try place()
    #expect(try await place.broker.subject() == nil)
    #expect(try await place.broker.idToken() == nil)
    let subject = await #expect(throws: AuthError.self) { try await place.broker.subject(account: "ann@example.com") }
    let token = await #expect(throws: AuthError.self) { try await place.broker.idToken(account: "ann@example.com") }
    #expect(subject?.kind == .noAccount && token?.kind == .noAccount)
  }

  @Test func `is asked for by its refresh token, and by no other's`() async throws {
    let server = FakeServer { path, form in
      if path.hasSuffix("openid-configuration") {
        return .json([
          "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
          "revocation_endpoint": .null,
        ])
      }
      return .json(["access_token": .string("new-of-\(form["refresh_token"] ?? "-")"), "token_type": "Bearer"])
    }
    let place = try place(server)
    for user in ["u1", "u2"] { try await place.signIn(Self.grant("at-\(user)", user, "\(user)@example.com")) }
    for user in ["u1", "u2"] {
      let token = try await place.broker.token(scopes: one, account: "\(user).t1", forceRefresh: true)
      #expect(token.secret == Secret("new-of-rt-\(user)") && token.account == "\(user).t1")
      #expect(token.scopes.names == one && token.expiresAt == place.clock.now + 3_600)
    }
    #expect(server.asked.last?.form["client_info"] == nil && server.asked.last?.headers["x-client-SKU"] == nil)
    // The server has no place to revoke a token at.
    #expect(try await place.broker.signOut("u1.t1") == nil)
    #expect(server.asked.count == 3)
  }
}

/// An id token is renewed before its end, as access tokens are.
@Suite(.timeLimit(.minutes(1)))
struct `An id token that is asked for` {
  private static let start: Int64 = 1_800_000_000

  private func body(_ token: String, ends end: Int64?, scope: String? = "openid profile api://one/Read") -> JSONValue {
    let id = end.map { JSONValue.string(idToken(["exp": .integer(Self.start + $0), "nonce": .string(token)])) }
    return grantBody(token, scope: scope, refresh: "rt-\(token)", more: ["id_token": id ?? .null])
  }

  private func nonce(_ token: IdentityToken?) -> String? { token.flatMap { IDTokenClaims($0.secret)?.nonce } }

  @Test(arguments: [(301, 0), (300, 1)])
  func `comes from the cache until five minutes before its end, to the second`(end: Int64, count: Int) async throws {
    let place = try BrokerPlace(FakeServer(.json(body("second", ends: 9_000))))
    try await place.signIn(body("first", ends: end))
    let token = try await place.broker.idToken()
    #expect(nonce(token) == (count == 0 ? "first" : "second") && token?.subject == "subject-1")
    #expect(place.server.asked.map { $0.form["scope"] } == (0..<count).map { _ in "openid profile offline_access" })
    #expect(try await place.broker.subject() == "subject-1")
  }

  @Test func `is another one when that is wanted, and none of before when there is no other`() async throws {
    let place = try BrokerPlace(FakeServer(.json(body("second", ends: 9_000)), .down))
    try await place.signIn(body("first", ends: 9_000))
    #expect(nonce(try await place.broker.idToken(forceRefresh: true)) == "second")
    let error = await #expect(throws: AuthError.self) { try await place.broker.idToken(forceRefresh: true) }
    #expect(error?.kind == .unreachable)
    #expect(nonce(try await place.broker.idToken()) == "second")
  }

  @Test func `is taken though other scopes than the usual came with it`() async throws {
    let place = try BrokerPlace(FakeServer(.json(body("second", ends: 9_000, scope: "api://one/Read"))))
    try await place.signIn(body("first", ends: 1))
    #expect(nonce(try await place.broker.idToken()) == "second")
  }

  @Test func `has to come from a sign-in where the server gives none any more, or one that is over`() async throws {
    for end in [nil, 1] as [Int64?] {
      let place = try BrokerPlace(FakeServer(.json(body("second", ends: end))))
      try await place.signIn(body("first", ends: 1))
      let error = await #expect(throws: AuthError.self) { try await place.broker.idToken() }
      #expect(error?.kind == .interactionRequired)
    }
  }

  @Test func `does not hide why there is none`() async throws {
    let place = try BrokerPlace(FakeServer(.raw("", status: 503)))
    try await place.signIn(body("first", ends: 1))
    let error = await #expect(throws: AuthError.self) { try await place.broker.idToken() }
    #expect(error?.kind == .serverUnavailable)
  }
}

/// What bounds a request for a token.
@Suite(.timeLimit(.minutes(1)))
struct `A request for a token` {
  @Test func `has claims of at most 16 KiB, as a JSON object`() async throws {
    let place = try BrokerPlace(FakeServer { _, form in .json(grantBody("at-\(form["claims"]?.utf8.count ?? 0)")) })
    try await place.signIn()
    let text = { (count: Int) in #"{"a":""# + String(repeating: "é", count: (count - 8) / 2) + #""}"# }
    #expect(text(16_384).utf8.count == 16_384)
    #expect(try await place.broker.token(scopes: one, claims: text(16_384)).secret == Secret("at-16384"))
    let error = await #expect(throws: AuthError.self) {
      try await place.broker.token(scopes: one, claims: text(16_384) + " ")
    }
    #expect(error?.kind == .invalidRequest && place.server.asked.count == 1)
  }

  @Test func `is not answered as the last one was where it demands claims, or where that token was refused`()
    async throws
  {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2")), .json(grantBody("at-3"))))
    try await place.signIn()
    for _ in 0..<2 { #expect(try await place.broker.token(scopes: one).secret == Secret("at-1")) }
    let claims = #"{"access_token":{"acrs":{"value":"c1"}}}"#
    #expect(try await place.broker.token(scopes: one, claims: claims).secret == Secret("at-2"))
    let refused = try await place.broker.token(scopes: one)
    #expect(refused.secret == Secret("at-2") && refused.source == .cache)
    #expect(try await place.broker.token(scopes: one, refused: refused).secret == Secret("at-3"))
    #expect(place.server.asked.map { $0.form["claims"] } == [claims, nil])
  }

  @Test func `with a limit gets no wider token of one without, and the other way round its own`() async throws {
    let wide = "openid api://one/Read api://one/Write"
    let place = try BrokerPlace(FakeServer(.json(grantBody("narrow", scope: "openid api://one/Read"))))
    try await place.signIn(grantBody("wide", scope: wide, refresh: "rt-1"))
    let limit = TokenLimit([try ScopeList(one)])
    let wider = TokenLimit([try ScopeList(["api://one/Read", "api://one/Write"])])
    for _ in 0..<2 {
      #expect(try await place.broker.token(scopes: one, limit: wider).secret == Secret("wide"))
      #expect(try await place.broker.token(scopes: one, limit: limit).secret == Secret("narrow"))
    }
    #expect(place.server.asked.count == 1)
  }

  @Test func `that is refused ends the refresh token by some words only, and not by what a user can do`() {
    func ends(_ kind: AuthError.Kind, _ word: String?, _ code: Int? = nil) -> Bool {
      AuthError(kind, "What happened.", code: code, serverError: word).endsRefreshToken
    }
    for code in [50072, 50074, 50076, 50079, 50158] {
      #expect(!ends(.interactionRequired, "invalid_grant", code), "\(code)")
    }
    for code in [nil, 70008, 50073, 700082] {
      #expect(ends(.interactionRequired, "invalid_grant", code))
      #expect(ends(.interactionRequired, "invalid_grant/bad_token", code))
      #expect(ends(.interactionRequired, "expired_refresh_token", code))
    }
    for word in [nil, "interaction_required", "login_required", "x_invalid_grant"] {
      #expect(!ends(.interactionRequired, word))
    }
    for kind in [AuthError.Kind.consentRequired, .invalidAnswer, .rateLimited] { #expect(!ends(kind, "invalid_grant")) }
  }

  @Test(arguments: AuthError.Kind.allCases) func `may be made again after some failures only`(kind: AuthError.Kind) {
    let isTransient = [.serverUnavailable, .unreachable, .timedOut, .rateLimited].contains(kind)
    #expect(AuthError(kind, "What happened.").isTransient == isTransient)
  }
}
