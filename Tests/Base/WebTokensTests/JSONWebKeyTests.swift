import Cryptography
import Testing
import WebTokens

@Suite(.timeLimit(.minutes(1)))
struct `A key of RSA in JSON` {
  @Test func `is known as JSON by its numbers and its thumbprint`() throws {
    let key = try RSAPrivateKey.generate()
    let web = JSONWebKey(key.publicKey)
    #expect(web.e == "AQAB")
    #expect(JSONWebKey(try web.publicKey()) == web)
    let known = JSONWebKey(
      n:
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMst"
        + "n64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n9"
        + "1CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
      e: "AQAB")
    // RFC 7638, 3.1.
    #expect(known.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test func `is refused when it is too short or no base64`() {
    #expect(throws: CryptographyError.self) { try JSONWebKey(n: "AQAB", e: "AQAB").publicKey() }
    #expect(throws: CryptographyError.self) { try JSONWebKey(n: "!", e: "AQAB").publicKey() }
  }

  /// Longer numbers are not even read; what is read may still be too long for a key.
  @Test func `has a modulus of at most 4,096 letters, and an exponent of at most 16`() throws {
    let key = JSONWebKey(try RSAPrivateKey.generate().publicKey)
    func kind(_ n: String, _ e: String) -> CryptographyError.Kind? {
      do throws(CryptographyError) {
        _ = try JSONWebKey(n: n, e: e).publicKey()
        return nil
      } catch { return error.kind }
    }
    #expect(kind(key.n, key.e) == nil)
    #expect(kind(String(repeating: "A", count: 4_096), key.e) == .outOfBounds)
    #expect(kind(String(repeating: "A", count: 4_098), key.e) == .malformed)
    #expect(kind(key.n, String(repeating: "A", count: 16)) == .outOfBounds)
    #expect(kind(key.n, String(repeating: "A", count: 18)) == .malformed)
    for wrong in ["", "?", "é"] { #expect(kind(wrong, key.e) != nil && kind(key.n, wrong) != nil) }
    #expect(JSONWebKey(n: "a", e: "b") != JSONWebKey(n: "b", e: "a"))
  }
}
