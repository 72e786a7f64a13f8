import ConfigurationFiles
import HTTPClient
import JSON
import Synchronization
import Testing
import Text

@testable import TokenBroker

/// The words in which APIs refuse a token, at the exact bounds.
@Suite(.timeLimit(.minutes(1)))
struct `A refusal of a web API` {
  private func verdict(_ status: Int, _ challenges: [String] = [], _ body: String = "") -> CallVerdict {
    var headers: HTTPFields = [:]
    for challenge in challenges { headers.append("WWW-Authenticate", challenge) }
    return CallVerdict(status: status, headers: headers, body: Array(body.utf8))
  }

  @Test func `is read from a body of at most 64 KiB`() {
    let word = #"{"error":"invalid_token"}"#
    let most = word + String(repeating: " ", count: (1 << 16) - word.utf8.count)
    #expect(verdict(403, [], most) == .wantsNewToken)
    #expect(verdict(403, [], most + " ") == .final)
    for depth in [15, 16] {
      let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let isRead = verdict(403, [], #"{"error":"invalid_token","a":\#(deep)}"#) == .wantsNewToken
      #expect(isRead == (depth == 15))
    }
  }

  @Test func `is one word of several, in any case, and of a body only where no challenge has one`() {
    for word in ["invalid_token", "expired_token", "token_expired", "access_denied", "INVALID_Token"] {
      for status in [400, 401, 403] {
        #expect(verdict(status, [], #"{"error":"\#(word)"}"#) == .wantsNewToken)
        #expect(verdict(status, [], #"{"error":{"code":"\#(word)"}}"#) == .wantsNewToken)
      }
      #expect(verdict(403, ["Bearer error=\"\(word)\""]) == .wantsNewToken)
      for status in [200, 399, 402, 404, 500] {
        #expect(verdict(status, ["Bearer error=\"\(word)\""], #"{"error":"\#(word)"}"#) == .final)
      }
    }
    for word in ["insufficient_scope", "insufficient_user_authentication", "Insufficient_Scope"] {
      #expect(verdict(401, [], #"{"error":"\#(word)"}"#) == .final)
    }
    #expect(verdict(403, ["Bearer error=\"other\""], #"{"error":"invalid_token"}"#) == .final)
    #expect(verdict(403, ["Bearer realm=\"r\""], #"{"error":"invalid_token"}"#) == .wantsNewToken)
  }

  @Test func `is of the scheme Bearer, in the first challenge that says something`() {
    #expect(verdict(403, ["Basic error=\"invalid_token\""]) == .final)
    #expect(verdict(403, ["DPoP error=\"invalid_token\""]) == .final)
    #expect(verdict(403, ["BEARER\terror=\"invalid_token\""]) == .wantsNewToken)
    #expect(verdict(403, ["Basic realm=\"r\"", "Bearer error=\"invalid_token\""]) == .wantsNewToken)
    #expect(verdict(403, ["Bearer error=\"other\"", "Bearer error=\"invalid_token\""]) == .final)
    #expect(BearerChallenge("Bearer error=\"a\", error=\"b\"").error == "a")
    #expect(BearerChallenge("Bearer error=a,claims=x").error == "a")
    #expect(BearerChallenge("Bearer realm=\"error=z\", error=b c=d").error == "b")
  }

  @Test func `says nothing in the words that it quotes`() {
    #expect(BearerChallenge(#"Bearer error_description="say \"x, error=z\" now", error="b""#).error == "b")
    #expect(BearerChallenge(#"Bearer error_description="ends \\", error="b""#).error == "b")
    #expect(BearerChallenge(#"Bearer error="a\b""#).error == "ab")
    #expect(BearerChallenge(#"Bearer error="a\"#).error == #"a\"#)
    #expect(verdict(403, [#"Bearer error_description="\"a, error=b\"", error="invalid_token""#]) == .wantsNewToken)
    let claims = Base64.encode(Array("{}".utf8))
    #expect(verdict(401, [#"Bearer error_description="\"a, claims=b\"", claims="\#(claims)""#]) == .wantsClaims("{}"))
  }

  @Test func `demands claims in base64 of either alphabet, once, and as a JSON object`() {
    // Its base64 has both of the letters that the alphabets differ in.
    let claims = #"{"a":"~~~???>>>"}"#
    let text = Base64.encode(Array(claims.utf8))
    let url = Base64URL.encode(Array(claims.utf8))
    #expect(text.contains("/") && text.contains("+") && url.contains("_") && url.contains("-"))
    for form in [text, url, text + "==", "\"\(text)\""] {
      #expect(BearerChallenge("Bearer error=\"insufficient_claims\", claims=\(form)").claims == claims)
    }
    let other = Base64URL.encode(Array(#"{"b":1}"#.utf8))
    #expect(BearerChallenge("Bearer claims=\"\(url)\", claims=\"\(other)\"").claims == claims)
    #expect(verdict(403, ["Bearer error=\"x\"", "Bearer claims=\"\(other)\""]) == .wantsClaims(#"{"b":1}"#))
    for wrong in ["[]", "5", "{", "{\"a\":1"] {
      #expect(BearerChallenge("Bearer claims=\"\(Base64URL.encode(Array(wrong.utf8)))\"").claims == nil)
    }
    let broken = Base64URL.encode([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
    #expect(BearerChallenge("Bearer claims=\"\(broken)\"").claims == nil)
  }

  @Test func `is read in the first 32,768 characters of its field`() {
    let (start, end) = ("Bearer a=\"", "\", error=\"invalid_token")
    for (count, word) in [(32_768, "invalid_token"), (32_769, "invalid_toke")] {
      let field = start + String(repeating: "x", count: count - start.count - end.count) + end
      #expect(field.count == count && BearerChallenge(field).error == word)
    }
  }

  @Test func `that demands claims has them sent, of the account that the first token was of`() async throws {
    let claims = #"{"access_token":{"acrs":{"value":"c1"}}}"#
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2"))))
    try await place.signIn()
    let sent = Mutex<[Secret]>([])
    let answer = try await place.broker.call(scopes: ["api://one/Read"]) { token in
      sent.withLock {
        $0.append(token.secret)
        return $0.count
      }
    } verdict: { count in
      count == 1 ? .wantsClaims(claims) : .final
    }
    #expect(answer == 2 && sent.withLock { $0 } == [Secret("at-1"), Secret("at-2")])
    #expect(place.server.asked.map { $0.form["claims"] } == [claims])
  }

  @Test(arguments: [CallVerdict.wantsNewToken, .wantsClaims("{}")])
  func `gives a caller with a limit no wider token at the second attempt`(next: CallVerdict) async throws {
    let wide = "openid api://one/Read api://one/Write"
    let place = try BrokerPlace(FakeServer(.json(grantBody("wide", scope: wide))))
    try await place.signIn()
    let sent = Mutex<[Secret]>([])
    let error = await #expect(throws: AuthError.self) {
      try await place.broker.call(
        scopes: ["api://one/Read"], limit: TokenLimit([try ScopeList(["api://one/Read"])])
      ) { token in
        sent.withLock { $0.append(token.secret) }
      } verdict: { _ in
        next
      }
    }
    #expect(error?.kind == .excessiveScopes && sent.withLock { $0 } == [Secret("at-1")])
  }

  // MARK: Meanwhile

  @Test func `is met with the token that another call got meanwhile`() async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2"))))
    try await place.signIn()
    let sent = Mutex<[Secret]>([])
    let count = try await place.broker.call(scopes: ["api://one/Read"]) { token in
      let count = sent.withLock { sent in
        sent.append(token.secret)
        return sent.count
      }
      if count == 1 {
        _ = try await place.broker.token(scopes: ["api://one/Read"], forceRefresh: true, refused: token)
      }
      return count
    } verdict: { count in
      count == 1 ? .wantsNewToken : .final
    }
    #expect(count == 2 && sent.withLock { $0 } == [Secret("at-1"), Secret("at-2")])
    #expect(place.server.asked.count == 1)
  }

  @Test(arguments: [CallVerdict.wantsNewToken, .wantsClaims("{}")])
  func `leads to a token of the same account, whoever signs in meanwhile`(next: CallVerdict) async throws {
    func grant(_ token: String, _ user: String) -> JSONValue {
      let info = Base64URL.encode(Array(#"{"uid":"\#(user)","utid":"T1"}"#.utf8))
      let id = idToken(["preferred_username": .string("\(user)@example.com"), "sub": .string(user)])
      return grantBody(token, refresh: "rt-\(user)", more: ["client_info": .string(info), "id_token": .string(id)])
    }
    let server = FakeServer { path, form in
      if path.hasSuffix("openid-configuration") {
        return .json(["issuer": "https://id.example", "token_endpoint": "https://id.example/token"])
      }
      return .json(["access_token": .string("new-of-\(form["refresh_token"] ?? "-")"), "token_type": "Bearer"])
    }
    let place = try BrokerPlace(server, kind: .openIDConnect, authority: "https://id.example")
    try await place.signIn(grant("at-ann", "Ann"))
    let sent = Mutex<[String]>([])
    let count = try await place.broker.call(scopes: ["api://one/Read"]) { token in
      let count = sent.withLock { sent in
        sent.append("\(token.account) \(token.secret.revealed())")
        return sent.count
      }
      if count == 1 { try await place.signIn(grant("at-bob", "Bob")) }
      return count
    } verdict: { count in
      count == 1 ? next : .final
    }
    #expect(count == 2 && sent.withLock { $0 } == ["Ann.T1 at-ann", "Ann.T1 new-of-rt-Ann"])
  }
}
