import ConfigurationFiles
import HTTPClient
import Synchronization
import Testing
import Text

@testable import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `An answer of a web API` {
  private func verdict(_ status: Int, _ challenge: String? = nil, _ body: String = "") -> CallVerdict {
    var headers: HTTPFields = [:]
    headers["WWW-Authenticate"] = challenge
    return CallVerdict(status: status, headers: headers, body: Array(body.utf8))
  }

  @Test(
    arguments: [
      (401, nil, ""), (401, "Bearer", ""), (401, "Bearer realm=\"x\", error=\"invalid_token\"", ""),
      (401, "Basic", "x"),
      (400, nil, #"{"error":"access_denied"}"#), (403, nil, #"{"error":{"code":"invalid_token"}}"#),
      (403, "bearer error=invalid_token, error_description=\"a, b\"", ""), (400, nil, #"{"error":"expired_token"}"#),
    ] as [(Int, String?, String)])
  func `wants a new token`(status: Int, challenge: String?, body: String) {
    #expect(verdict(status, challenge, body) == .wantsNewToken)
  }

  @Test(
    arguments: [
      (200, nil, ""), (403, nil, ""), (400, nil, ""), (404, "Bearer error=\"invalid_token\"", ""), (500, nil, ""),
      (403, "Bearer error=\"insufficient_scope\", scope=\"a\"", #"{"error":"access_denied"}"#),
      (401, "Bearer error=\"insufficient_scope\"", ""), (401, "Bearer error=\"insufficient_user_authentication\"", ""),
      (403, nil, #"{"error":"forbidden"}"#), (400, nil, "{"), (400, nil, "access_denied"),
    ] as [(Int, String?, String)])
  func `is the answer`(status: Int, challenge: String?, body: String) {
    #expect(verdict(status, challenge, body) == .final)
  }

  @Test func `may want a token that says more`() {
    let claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    let field = "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"\(Base64URL.encode(Array(claims.utf8)))==\""
    #expect(verdict(401, field) == .wantsClaims(claims))
    #expect(verdict(401, "Bearer error=\"insufficient_claims\", claims=\"!\"") == .wantsNewToken)
  }

  @Test func `brings one refresh and one more attempt, and then is the answer`() async throws {
    let place = try BrokerPlace(FakeServer { _, _ in .json(grantBody("at-2")) })
    try await place.signIn()
    let sent = Mutex<[Secret]>([])
    let answer = try await place.broker.call(scopes: ["api://one/Read"]) { token in
      sent.withLock { $0.append(token.secret) }
      return 401
    } verdict: { status in
      CallVerdict(status: status, headers: [:], body: [])
    }
    #expect(answer == 401)
    #expect(sent.withLock { $0 } == [Secret("at-1"), Secret("at-2")])
    #expect(place.server.asked.count == 1)
  }

  @Test func `stands when the identity server is down, and not when the user has to sign in`() async throws {
    let place = try BrokerPlace(FakeServer(.down, .refusal("invalid_grant", 70008)))
    try await place.signIn()
    let call = {
      try await place.broker.call(scopes: ["api://one/Read"]) { _ in
        401
      } verdict: { status in
        CallVerdict(status: status, headers: [:], body: [])
      }
    }
    #expect(try await call() == 401)
    let error = await #expect(throws: AuthError.self) { try await call() }
    #expect(error?.kind == .interactionRequired)
  }
}
