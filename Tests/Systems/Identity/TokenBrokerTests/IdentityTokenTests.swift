import ConfigurationFiles
import Cryptography
import HTTPClient
import JSON
import Synchronization
import Testing
import Text
import WebTokens

@testable import TokenBroker

private let one = ["api://one/Read"]

@Suite(.timeLimit(.minutes(1)))
struct `An id token of native authentication` {
  static let bad: [JSONObject] = [
    ["iss": "https://evil.example"], ["aud": "another"], ["aud": ["client", "b"]], ["azp": "another"], ["sub": .null],
    ["exp": 1], ["exp": .null], ["oid": "u2", "tid": "t1"], ["iss": .null], ["aud": .null], ["aud": []],
  ]

  private func signIn(_ token: String) async throws -> (FlowState, BrokerPlace) {
    let place = try BrokerPlace(
      FakeServer(
        .json(["continuation_token": "ct-1"]), .json(["continuation_token": "ct-2", "challenge_type": "password"]),
        .json(grantBody("at-1", more: ["id_token": .string(token)]))))
    let flow = try place.broker.makeFlow(
      FlowStart(.signIn, username: "ann@example.com", password: Secret("p"), scopes: try ScopeList(one)))
    return (await flow.begin().state, place)
  }

  @Test func `is taken when it is the server's, for this client and in its time`() async throws {
    for claims in [[:], ["oid": "u1", "tid": "t1"], ["azp": "client", "aud": ["client", "b"]]] as [JSONObject] {
      guard case .completed(let account) = try await signIn(FakeKey.sign(claims)).0 else {
        Issue.record("\(claims) was not taken.")
        continue
      }
      #expect(account?.id == "u1.t1")
    }
  }

  @Test(arguments: bad) func `is refused at the sign-in, and nothing is kept`(claims: JSONObject) async throws {
    let (state, place) = try await signIn(FakeKey.sign(claims))
    guard case .failed(let error) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(error.kind == .invalidAnswer)
    #expect(try await place.cache.contents() == UnifiedCache())
  }

  @Test(arguments: bad + [["sub": "subject-2"]]) func `is refused at a refresh`(claims: JSONObject) async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2", more: ["id_token": .string(FakeKey.sign(claims))]))))
    try await place.signIn()
    let error = await #expect(throws: AuthError.self) { try await place.broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .invalidAnswer)
    #expect(try await place.broker.token(scopes: one).secret == Secret("at-1"))
  }

  @Test func `is good to the second, with five minutes for clocks that differ`() async throws {
    for (end, isTaken) in [(1_799_999_700, true), (1_799_999_699, false)] as [(Int64, Bool)] {
      let state = try await signIn(FakeKey.sign(["exp": .integer(end)])).0
      if case .completed = state { #expect(isTaken) } else { #expect(!isTaken, "\(state)") }
    }
  }

  @Test func `is of the same user at a refresh by its object, too, where it names one`() async throws {
    for (object, isTaken) in [("o1", true), ("o2", false), (nil, true)] as [(String?, Bool)] {
      var claims: JSONObject = [:]
      claims["oid"] = object.map { .string($0) }
      let next = grantBody("at-2", more: ["id_token": .string(FakeKey.sign(claims))])
      let place = try BrokerPlace(FakeServer(.json(next)))
      try await place.signIn(
        grantBody("at-1", refresh: "rt-1", more: ["id_token": .string(FakeKey.sign(["oid": "o1"]))]))
      let token = try? await place.broker.token(scopes: one, forceRefresh: true)
      #expect((token?.secret == Secret("at-2")) == isTaken, "\(object ?? "none")")
    }
  }

  @Test func `is proven by keys for signatures only`() throws {
    let key = try RSAPrivateKey.generate()
    let web = JSONWebKey(key.publicKey)
    let token = try CompactToken(CompactToken.sign(Array("{}".utf8), key: key, keyID: "k"))
    for (use, type, isProven) in [
      (nil, "RSA", true), ("sig", "RSA", true), ("enc", "RSA", nil), ("", "RSA", nil), (nil, "EC", nil),
    ] as [(String?, String, Bool?)] {
      var object: JSONObject = ["kty": .string(type), "kid": "k", "n": .string(web.n), "e": .string(web.e)]
      object["use"] = use.map { .string($0) }
      let reply = ServerReply(status: 200, body: .object(["keys": [.object(object)]]))
      let keys = IdentityKeys(reply, issuer: "i", now: 1)
      #expect(keys.hasSigned(token, keyID: "k") == isProven && keys.hasSigned(token, keyID: "other") == nil)
    }
  }

  @Test func `has keys that are asked for again after a minute to the second`() async throws {
    let asked = Mutex(0)
    let place = try BrokerPlace(FakeServer())
    let transport: AuthTransport = { request throws(HTTPError) in
      if request.url.hasSuffix("/test-keys") { asked.withLock { $0 += 1 } }
      return try await place.server.transport(request)
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    _ = try await broker.identityKeys()
    for (seconds, count) in [(0, 1), (59, 1), (1, 2), (59, 2), (-100, 3), (1, 3)] {
      place.clock.advance(by: seconds)
      _ = try await broker.identityKeys(anew: true)
      #expect(asked.withLock { $0 } == count, "after \(seconds) seconds")
    }
    place.clock.advance(by: 1_000)
    _ = try await broker.identityKeys()
    #expect(asked.withLock { $0 } == 3, "known keys are good for as long as they prove something")
  }

  @Test func `has the signature of one of the server's keys`() async throws {
    let foreign = FakeKey.sign([:], key: try RSAPrivateKey.generate())
    let parts = FakeKey.sign([:]).split(separator: ".")
    let unsigned = "eyJhbGciOiJub25lIn0.\(parts[1]).c2ln"
    for token in [foreign, unsigned, "a.b.c", "\(parts[0]).\(parts[1])."] {
      guard case .failed(let error) = try await signIn(token).0 else {
        Issue.record("\(token) was taken.")
        continue
      }
      #expect(error.kind == .invalidAnswer, "\(error)")
    }
  }

  /// A broker on the cache of a place, which gets no documents of the server while there is a fault.
  private func broker(_ place: BrokerPlace, _ fault: Fault) -> TokenBroker {
    let transport: AuthTransport = { request throws(HTTPError) in
      if request.method == "GET", let kind = fault.kind { throw HTTPError(kind, "No.", url: request.url) }
      return try await place.server.transport(request)
    }
    return TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
  }

  private final class Fault: Sendable {
    private let state = Mutex<HTTPError.Kind?>(nil)
    var kind: HTTPError.Kind? { state.withLock { $0 } }
    func set(_ kind: HTTPError.Kind?) { state.withLock { $0 = kind } }
  }

  @Test func `has no refresh token spent for it while its keys cannot be had`() async throws {
    let (place, fault) = (try BrokerPlace(FakeServer(.json(grantBody("at-2")))), Fault())
    try await place.signIn()
    let broker = broker(place, fault)
    fault.set(.refused)
    for _ in 0..<2 {
      let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
      #expect(error?.kind == .unreachable && place.server.asked.isEmpty)
    }
    fault.set(nil)
    #expect(try await broker.token(scopes: one, forceRefresh: true).secret == Secret("at-2"))
  }

  @Test(arguments: [
    (HTTPError.Kind.timedOut, true), (.tls, true), (.refused, true), (.tooLarge, false), (.invalidResponse, false),
  ])
  func `of a new key that cannot be had now is left out, and the tokens beside it are kept`(
    kind: HTTPError.Kind, isKept: Bool
  ) async throws {
    let claims: JSONObject = [
      "iss": .string(FakeKey.issuer), "aud": "client", "sub": "subject-1", "exp": 4_000_000_000,
    ]
    let body = Array(JSONCoding.text(of: .object(claims)).utf8)
    let token = try CompactToken.sign(body, key: RSAPrivateKey.generate(), keyID: "key-2")
    let (place, fault) = (try BrokerPlace(FakeServer(.json(grantBody("at-2", refresh: "rt-2")))), Fault())
    try await place.signIn()
    let broker = broker(place, fault)
    _ = try await broker.token(scopes: one, forceRefresh: true)
    let identity = broker.identity("u1.t1")
    let before = try await place.cache.contents().idToken(of: identity)?.secret
    fault.set(kind)
    place.clock.advance(by: 60)
    place.server.queue(.json(grantBody("at-3", refresh: "rt-3", more: ["id_token": .string(token)])))
    let next = try? await broker.token(scopes: one, forceRefresh: true)
    let contents = try await place.cache.contents()
    #expect(next?.secret == (isKept ? Secret("at-3") : nil))
    #expect(contents.refreshToken(of: identity)?.secret == Secret(isKept ? "rt-3" : "rt-2"))
    #expect(before != nil && contents.idToken(of: identity)?.secret == before)
  }

  @Test func `is of a guest's home tenant, or of this one in any case`() async throws {
    for (claims, isTaken) in [
      (["oid": "u2", "tid": "t2"], true), (["oid": "U1", "tid": "T1"], true), (["oid": "u2", "tid": "T1"], false),
      (["oid": "u2"], true),
    ] as [(JSONObject, Bool)] {
      let state = try await signIn(FakeKey.sign(claims)).0
      if case .completed = state { #expect(isTaken, "\(claims)") } else { #expect(!isTaken, "\(claims)") }
    }
  }

  @Test func `is signed as RS256 by its own word, and there where a sign-in has a nonce`() async throws {
    let place = try BrokerPlace(FakeServer())
    let key = try RSAPrivateKey.generate()
    let web = JSONWebKey(key.publicKey)
    let transport: AuthTransport = { request throws(HTTPError) in
      guard request.url.hasSuffix("/test-keys") else { return try await place.server.transport(request) }
      let entry: JSONValue = ["kty": "RSA", "n": .string(web.n), "e": .string(web.e)]
      return try Result.json(["keys": [entry]]).get()
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    let bare = TokenGrant(accessToken: Secret("at"), lifetime: 1)
    try await broker.checkIdentity(bare)
    let none = await #expect(throws: AuthError.self) { try await broker.checkIdentity(bare, nonce: Secret("n")) }
    #expect(none?.kind == .invalidAnswer)
    let claims: JSONObject = [
      "iss": .string(FakeKey.issuer), "aud": "client", "sub": "s", "exp": 4_000_000_000, "nonce": "n",
    ]
    let body = Base64URL.encode(Array(JSONCoding.text(of: .object(claims)).utf8))
    for (algorithm, isTaken) in [
      ("RS256", true), ("RS512", false), ("rs256", false), ("none", false), (nil, false),
    ] as [(String?, Bool)] {
      var header: JSONObject = [:]
      header["alg"] = algorithm.map { .string($0) }
      let signed = "\(Base64URL.encode(Array(JSONCoding.text(of: .object(header)).utf8))).\(body)"
      let text = "\(signed).\(Base64URL.encode(try key.signature(of: Array(signed.utf8))))"
      let made = TokenGrant(accessToken: Secret("at"), lifetime: 1, idToken: Secret(text))
      if isTaken {
        try await broker.checkIdentity(made)
        try await broker.checkIdentity(made, nonce: Secret("n"))
        let error = await #expect(throws: AuthError.self) { try await broker.checkIdentity(made, nonce: Secret("m")) }
        #expect(error?.message.contains("another sign-in") == true)
      } else {
        let error = await #expect(throws: AuthError.self) { try await broker.checkIdentity(made) }
        #expect(error?.message.contains("signed as") == true)
      }
    }
  }

  @Test func `has the nonce of its sign-in, and not none`() async throws {
    let broker = try BrokerPlace(FakeServer()).broker
    for (nonce, isTaken) in [("n", true), ("N", false), ("", false), (.null, false)] as [(JSONValue, Bool)] {
      let made = TokenGrant(accessToken: Secret("at"), lifetime: 1, idToken: Secret(FakeKey.sign(["nonce": nonce])))
      try await broker.checkIdentity(made)
      do throws(AuthError) {
        try await broker.checkIdentity(made, nonce: Secret("n"))
        #expect(isTaken, "\(nonce)")
      } catch {
        #expect(!isTaken && error.message.contains("another sign-in"), "\(nonce)")
      }
    }
  }

  @Test func `is of a new key, each time that the server has one, as soon as that is asked for`() async throws {
    let key = try RSAPrivateKey.generate()
    let web = JSONWebKey(key.publicKey)
    let place = try BrokerPlace(FakeServer())
    let body = try #require(Base64URL.decode(FakeKey.sign([:]).split(separator: ".")[1]))
    let name = Mutex("")
    let asked = Mutex(0)
    let transport: AuthTransport = { request throws(HTTPError) in
      guard request.url.hasSuffix("/test-keys") else { return try await place.server.transport(request) }
      asked.withLock { $0 += 1 }
      let entry: JSONValue = [
        "kty": "RSA", "kid": .string(name.withLock { $0 }), "n": .string(web.n), "e": .string(web.e),
      ]
      return try Result.json(["keys": [entry]]).get()
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    for (seconds, served, named, isTaken, count) in [
      (0, "one", "one", true, 1), (59, "two", "two", false, 1), (1, "two", "two", true, 2),
      (0, "two", "one", false, 2), (60, "three", "three", true, 3), (59, "three", "two", false, 3),
    ] {
      place.clock.advance(by: seconds)
      name.withLock { $0 = served }
      let token = try CompactToken.sign(body, key: key, keyID: named)
      let made = TokenGrant(accessToken: Secret("at"), lifetime: 1, idToken: Secret(token))
      let found = (try? await broker.checkIdentity(made)) != nil
      #expect(found == isTaken, "\(named) of \(served)")
      #expect(asked.withLock { $0 } == count, "\(named) of \(served)")
    }
  }

  @Test func `names its issuer and its client byte by byte`() async throws {
    let place = try BrokerPlace(FakeServer())
    let transport: AuthTransport = { request throws(HTTPError) in
      guard request.url.hasSuffix("/openid-configuration") else { return try await place.server.transport(request) }
      return try Result.json(["issuer": "https://issuer.example/K", "jwks_uri": "https://fake/test-keys"]).get()
    }
    let configuration = try IdentityConfiguration(
      authority: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com", clientID: "K", kind: .native)
    let broker = TokenBroker(configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    for (name, value, isTaken) in [
      ("aud", "K", true), ("aud", "\u{212A}", false), ("azp", "K", true), ("azp", "\u{212A}", false),
      ("iss", "https://issuer.example/\u{212A}", false),
    ] {
      var claims: JSONObject = ["iss": "https://issuer.example/K", "aud": "K"]
      claims[name] = .string(value)
      let made = TokenGrant(accessToken: Secret("at"), lifetime: 1, idToken: Secret(FakeKey.sign(claims)))
      let found = (try? await broker.checkIdentity(made)) != nil
      #expect(found == isTaken, "\(name) \(value)")
    }
  }

  @Test(arguments: ["sub", "oid"])
  func `is of another user at a refresh, whose name only looks the same`(claim: String) async throws {
    func body(_ token: String, _ user: String) -> JSONValue {
      grantBody(token, refresh: "rt-1", more: ["id_token": .string(FakeKey.sign([claim: .string(user)]))])
    }
    for (user, isTaken) in [("K", true), ("\u{212A}", false)] {
      let place = try BrokerPlace(FakeServer(.json(body("at-2", user))))
      try await place.signIn(body("at-1", "K"))
      let token = try? await place.broker.token(scopes: one, forceRefresh: true)
      #expect((token?.secret == Secret("at-2")) == isTaken)
    }
  }

  @Test func `is proven by one of the first 32 keys, by its name where it has one`() throws {
    let (key, other) = (try RSAPrivateKey.generate(), try RSAPrivateKey.generate())
    func entry(_ key: RSAPrivateKey, _ id: String?) -> JSONValue {
      let web = JSONWebKey(key.publicKey)
      var object: JSONObject = ["kty": "RSA", "n": .string(web.n), "e": .string(web.e)]
      object["kid"] = id.map { .string($0) }
      return .object(object)
    }
    func keys(_ entries: [JSONValue]) -> IdentityKeys {
      IdentityKeys(ServerReply(status: 200, body: .object(["keys": .array(entries)])), issuer: "i", now: 1)
    }
    let token = try CompactToken(CompactToken.sign(Array("{}".utf8), key: key, keyID: "k"))
    let wrong = (0..<31).map { _ in entry(other, "k") }
    #expect(keys(wrong + [entry(key, "k")]).hasSigned(token, keyID: "k") == true)
    #expect(keys(wrong + [entry(other, "k"), entry(key, "k")]).hasSigned(token, keyID: "k") == false)
    let both = keys([entry(other, "a"), entry(key, "b")])
    #expect(both.hasSigned(token, keyID: nil) == true && both.hasSigned(token, keyID: "b") == true)
    #expect(both.hasSigned(token, keyID: "a") == false && both.hasSigned(token, keyID: "c") == nil)
    #expect(
      keys([entry(key, nil)]).hasSigned(token, keyID: "c") == true && keys([]).hasSigned(token, keyID: nil) == nil)
  }
}
