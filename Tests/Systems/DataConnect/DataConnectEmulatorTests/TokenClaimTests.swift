import JSON
import Testing

@testable import DataConnectEmulator

/// The claims of signed tokens: absent, of another type, and at the second of their bounds.
@Suite(.timeLimit(.minutes(1)))
struct `The claims of a signed token` {
  @Test(arguments: ["aud", "iss", "exp", "sub"]) func `have to be there`(name: String) async throws {
    let issuer = try SignedIssuer()
    let token = try issuer.token(without: name)
    await #expect(throws: RequestFailure.self) { try await issuer.reader().caller(token) }
  }

  @Test(
    arguments: [
      ["aud": []], ["aud": .null], ["aud": 1], ["aud": ["others", "more"]], ["aud": "film"], ["aud": "films "],
      ["aud": [["films"]]], ["iss": ["https://issuer"]], ["iss": "https://issuer/"], ["exp": "9999999999"], ["sub": ""],
      ["sub": 7],
    ] as [JSONObject]) func `have to be what is expected, of the right type`(changes: JSONObject) async throws
  {
    let issuer = try SignedIssuer()
    let token = try issuer.token(changes)
    await #expect(throws: RequestFailure.self) { try await issuer.reader().caller(token) }
  }

  @Test func `may name several audiences, or any where none is expected`() async throws {
    let issuer = try SignedIssuer()
    let several = try issuer.token(["aud": ["others", "films"]])
    #expect(try await issuer.reader().caller(several).claims?.user == "u")
    let none = try issuer.token(without: "aud")
    #expect(try await issuer.reader(audience: nil).caller(none).claims?.user == "u")
  }

  @Test func `are compared by their bytes`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader(audience: "K")
    let own = try issuer.token(["aud": "K"])
    #expect(try await reader.caller(own).claims?.user == "u")
    // The Kelvin sign, which is the letter K for `String`.
    for audience in ["\u{212A}", ["films", "\u{212A}"]] as [JSONValue] {
      let token = try issuer.token(["aud": audience])
      await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
    }
    var policy = issuer.policy()
    policy.issuer?.name = "https://K"
    let other = TokenReader(policy, isLoopback: true)
    let named = try issuer.token(["iss": "https://K"])
    #expect(try await other.caller(named).claims?.user == "u")
    let foreign = try issuer.token(["iss": "https://\u{212A}"])
    await #expect(throws: RequestFailure.self) { try await other.caller(foreign) }
  }

  @Test func `hold to the second, with a minute for clocks that differ`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    let begins = try issuer.token(["nbf": JSONValue(issuer.now + 61), "exp": JSONValue(issuer.now + 100)])
    await #expect(throws: RequestFailure.self) { try await reader.caller(begins) }
    issuer.advance(by: 1)
    let caller = try await reader.caller(begins)
    issuer.advance(by: 158)
    #expect(try await reader.caller(begins) == caller && reader.isCurrent(caller))
    issuer.advance(by: 1)
    #expect(!reader.isCurrent(caller))
    await #expect(throws: RequestFailure.self) { try await reader.caller(begins) }
  }

  @Test func `are looked at again each time, however often the token was believed`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    let token = try issuer.token()
    for _ in 0..<3 { _ = try await reader.caller(token) }
    issuer.advance(by: 660)
    await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
    #expect(try await reader.caller(issuer.token()).claims?.user == "u")
  }
}
