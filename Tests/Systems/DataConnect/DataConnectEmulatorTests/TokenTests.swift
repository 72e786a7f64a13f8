import JSON
import Synchronization
import Testing

@testable import DataConnectEmulator

struct `A token at the emulator` {
  private let plain = TokenReader(TokenPolicy(), isLoopback: true)

  @Test func `says without a signature who calls, on this machine`() async throws {
    let caller = try await plain.caller(TestEmulator.token("u", ["role": "admin"]))
    #expect(caller.claims?.user == "u")
    #expect(caller.claims?.token["role"] == "admin")
  }

  @Test func `that is missing is nobody's`() async throws {
    #expect(try await plain.caller(nil) == .nobody)
    #expect(try await plain.caller("") == .nobody)
  }

  @Test(arguments: ["x", "a.b.c", "..", "e30.e30.", "bm9uZQ.bm9uZQ.", "e30.eyJzdWIiOiJ1In0", "e30.eyJzdWIiOiIifQ."])
  func `that is none is refused`(text: String) async {
    await #expect(throws: RequestFailure.self) { try await plain.caller(text) }
  }

  @Test func `without a signature is refused where others reach the server`() async {
    let reader = TokenReader(TokenPolicy(), isLoopback: false)
    await #expect(throws: RequestFailure.self) { try await reader.caller(TestEmulator.token("u")) }
  }

  // MARK: Signed

  @Test func `is believed when the issuer has signed it`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    for _ in 0..<3 { #expect(try await reader.caller(issuer.token()).claims?.user == "u") }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }

  @Test func `is refused when it is not signed, though nobody else reaches the server`() async throws {
    let reader = try SignedIssuer().reader()
    await #expect(throws: RequestFailure.self) { try await reader.caller(TestEmulator.token("u")) }
  }

  @Test(
    arguments: [
      ["exp": 1_000], ["exp": .null], ["aud": "others"], ["iss": "https://other"], ["nbf": 9_999_999_999],
    ] as [JSONObject])
  func `is refused when its claims do not hold`(changes: JSONObject) async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    let token = try issuer.token(changes)
    await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
  }

  @Test func `is refused when somebody else has signed it`() async throws {
    let reader = try SignedIssuer().reader()
    let token = try SignedIssuer(1).token()
    await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
  }

  @Test func `with an unknown key has the keys fetched once in a while only`() async throws {
    let issuer = try SignedIssuer()
    let reader = issuer.reader()
    for name in ["two", "three", "four"] {
      let token = try issuer.token(key: name)
      await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
    }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }
}
