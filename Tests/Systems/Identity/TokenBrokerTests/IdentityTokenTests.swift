import ConfigurationFiles
import Cryptography
import HTTPClient
import JSON
import Synchronization
import Testing
import WebTokens

@testable import TokenBroker

private let one = ["api://one/Read"]

@Suite(.timeLimit(.minutes(1)))
struct `An id token of native authentication` {
  static let bad: [JSONObject] = [
    ["iss": "https://evil.example"], ["aud": "another"], ["aud": ["client", "b"]], ["azp": "another"], ["sub": .null],
    ["exp": 1], ["exp": .null], ["oid": "u2", "tid": "t1"],
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
}
