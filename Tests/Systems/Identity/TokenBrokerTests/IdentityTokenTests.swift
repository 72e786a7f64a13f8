import ConfigurationFiles
import Cryptography
import JSON
import Testing

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
