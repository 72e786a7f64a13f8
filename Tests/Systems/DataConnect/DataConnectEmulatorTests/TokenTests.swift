import Cryptography
import JSON
import Synchronization
import Testing
import Time
import WebTokens

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

  private final class Issuer: Sendable {
    let key: RSAPrivateKey
    let fetches = Mutex(0)

    /// Two keys are enough, and each takes a while to make.
    private static let keys = Result { [try RSAPrivateKey.generate(), try RSAPrivateKey.generate()] }

    init(_ number: Int = 0) throws { key = try Self.keys.get()[number] }

    func reader(audience: String? = "films") -> TokenReader {
      let web = JSONWebKey(key.publicKey)
      let issuer = TokenPolicy.Issuer(name: "https://issuer", audience: audience) {
        self.fetches.withLock { $0 += 1 }
        let key: JSONValue = ["kty": "RSA", "kid": "one", "n": .string(web.n), "e": .string(web.e)]
        return Array(JSONValue.object(["keys": [key]]).description.utf8)
      }
      return TokenReader(TokenPolicy(issuer: issuer), isLoopback: true)
    }

    func token(_ changes: JSONObject = [:], key id: String = "one") throws -> String {
      var claims: JSONObject = [
        "sub": "u", "iss": "https://issuer", "aud": "films", "exp": JSONValue(UnixTime.now.seconds + 600),
      ]
      for (name, value) in changes { claims[name] = value }
      return try CompactToken.sign(Array(JSONValue.object(claims).description.utf8), key: key, keyID: id)
    }
  }

  @Test func `is believed when the issuer has signed it`() async throws {
    let issuer = try Issuer()
    let reader = issuer.reader()
    for _ in 0..<3 { #expect(try await reader.caller(issuer.token()).claims?.user == "u") }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }

  @Test func `is refused when it is not signed, though nobody else reaches the server`() async throws {
    let reader = try Issuer().reader()
    await #expect(throws: RequestFailure.self) { try await reader.caller(TestEmulator.token("u")) }
  }

  @Test(
    arguments: [
      ["exp": 1_000], ["exp": .null], ["aud": "others"], ["iss": "https://other"], ["nbf": 9_999_999_999],
    ] as [JSONObject])
  func `is refused when its claims do not hold`(changes: JSONObject) async throws {
    let issuer = try Issuer()
    let reader = issuer.reader()
    let token = try issuer.token(changes)
    await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
  }

  @Test func `is refused when somebody else has signed it`() async throws {
    let reader = try Issuer().reader()
    let token = try Issuer(1).token()
    await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
  }

  @Test func `with an unknown key has the keys fetched once in a while only`() async throws {
    let issuer = try Issuer()
    let reader = issuer.reader()
    for name in ["two", "three", "four"] {
      let token = try issuer.token(key: name)
      await #expect(throws: RequestFailure.self) { try await reader.caller(token) }
    }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }
}
