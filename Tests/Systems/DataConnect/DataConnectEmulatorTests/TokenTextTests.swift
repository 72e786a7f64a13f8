import Cryptography
import JSON
import Testing
import Text
import WebTokens

@testable import DataConnectEmulator

/// What a token is before anybody asks who it is of, and why one is refused.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a token` {
  private let plain = TokenReader(TokenPolicy(), isLoopback: true)

  private static func refused(_ why: String) -> RequestFailure {
    RequestFailure(.unauthenticated, "unauthorized: the token is not accepted, since \(why)")
  }

  @Test func `has at most 32,768 bytes`() async throws {
    #expect(CompactToken.limit == 32_768)
    let start = "e30.eyJzdWIiOiJ1In0."
    let longest = start + String(repeating: "A", count: CompactToken.limit - start.utf8.count)
    #expect(try await plain.caller(longest).claims?.user == "u")
    await #expect(throws: Self.refused("it is not a JSON Web Token")) { try await plain.caller(longest + "A") }
    // Characters of two bytes count twice.
    let wide = start + String(repeating: "é", count: (CompactToken.limit - start.utf8.count) / 2)
    #expect(try await plain.caller(wide).claims?.user == "u")
    await #expect(throws: Self.refused("it is not a JSON Web Token")) { try await plain.caller(wide + "é") }
  }

  @Test(arguments: [
    "e30.eyJzdWIiOiJ1In0", "e30.eyJzdWIiOiJ1In0..", "e30.eyJzdWIiOiJ1In0.a.b", "W10.eyJzdWIiOiJ1In0.", "e30.W10.",
    ".eyJzdWIiOiJ1In0.", "e30..", "é.eyJzdWIiOiJ1In0.",
  ])
  func `has three parts, of which two are objects`(text: String) async throws {
    #expect(try await plain.caller("e30.eyJzdWIiOiJ1In0.").claims?.user == "u")
    await #expect(throws: Self.refused("it is not a JSON Web Token")) { try await plain.caller(text) }
  }

  /// A token with a header of its own, which the issuer has signed.
  private func token(_ issuer: SignedIssuer, header: JSONObject) throws -> String {
    let claims: JSONObject = ["sub": "u", "iss": "https://issuer", "aud": "films", "exp": JSONValue(issuer.now + 600)]
    let text = [header, claims].map { Base64URL.encode(Array(JSONValue.object($0).description.utf8)) }
      .joined(separator: ".")
    return "\(text).\(Base64URL.encode(try issuer.key.signature(of: Array(text.utf8))))"
  }

  @Test func `names RS256 and a known key, or is refused though its signature is right`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    #expect(try await reader.caller(token(issuer, header: ["alg": "RS256", "kid": "one"])).claims?.user == "u")
    for algorithm in ["RS512", "HS256", "none", "rs256", .null] as [JSONValue] {
      let token = try token(issuer, header: ["alg": algorithm, "kid": "one"])
      await #expect(throws: Self.refused("it is not signed with RS256")) { try await reader.caller(token) }
    }
    let none = try token(issuer, header: ["kid": "one"])
    await #expect(throws: Self.refused("it is not signed with RS256")) { try await reader.caller(none) }
    for header in [["alg": "RS256"], ["alg": "RS256", "kid": 1], ["alg": "RS256", "kid": "two"]] as [JSONObject] {
      let token = try token(issuer, header: header)
      await #expect(throws: Self.refused("its key is not known")) { try await reader.caller(token) }
    }
  }

  @Test func `is refused for the first thing that is wrong with it`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    let cases: [(JSONObject, String)] = [
      (["iss": "https://other", "aud": "others", "exp": 1], "another server has issued it"),
      (["aud": "others", "exp": 1], "it is meant for another client"),
      (["exp": 1, "nbf": 9_999_999_999], "it has expired"), (["nbf": 9_999_999_999, "sub": ""], "it is not valid yet"),
      (["sub": ""], "it names no user"),
    ]
    for (changes, why) in cases {
      let token = try issuer.token(changes)
      await #expect(throws: Self.refused(why)) { try await reader.caller(token) }
    }
    let foreign = try SignedIssuer(1).token(["iss": "https://other"])
    await #expect(throws: Self.refused("its signature is wrong")) { try await reader.caller(foreign) }
  }

  @Test func `has to be signed where others reach the server, and is enough then`() async throws {
    let issuer = try SignedIssuer()
    let open = TokenReader(issuer.policy(), isLoopback: false)
    #expect(try await open.caller(issuer.token()).claims?.user == "u")
    await #expect(throws: Self.refused("it is not signed with RS256")) {
      try await open.caller(TestEmulator.token("u"))
    }
    let without = TokenReader(TokenPolicy(), isLoopback: false)
    let signed = try issuer.token()
    for token in [signed, TestEmulator.token("u")] {
      await #expect(throws: Self.refused("the issuer of tokens is not named")) { try await without.caller(token) }
    }
    #expect(try await without.caller(nil) == .nobody)
    #expect(try await without.caller("") == .nobody)
  }

  @Test func `holds until a minute after its end, and for ever where nobody signs`() throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    func user(_ end: JSONValue?) throws -> OperationCaller {
      var claims: JSONObject = ["sub": "u"]
      claims["exp"] = end
      return .user(try #require(Claims(claims)))
    }
    #expect(try reader.isCurrent(user(JSONValue(issuer.now - 59))))
    #expect(try !reader.isCurrent(user(JSONValue(issuer.now - 60))))
    for end in [nil, .null, "9999999999", 0] as [JSONValue?] { #expect(try !reader.isCurrent(user(end))) }
    #expect(reader.isCurrent(.nobody) && reader.isCurrent(.administrator))
    for end in [nil, 1] as [JSONValue?] { #expect(try plain.isCurrent(user(end))) }
  }
}
