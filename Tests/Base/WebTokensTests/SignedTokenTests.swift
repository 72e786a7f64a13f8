import Cryptography
import Testing
import Text
import WebTokens

/// RFC 7515, A.2.
private enum Example {
  static let n =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs"
    + "D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdV"
    + "MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
  static let token =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ"
    + "cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-e"
    + "OkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
}

@Suite(.timeLimit(.minutes(1)))
struct `A signed token` {
  @Test func `of the standard is believed`() throws {
    let key = try JSONWebKey(n: Example.n, e: "AQAB").publicKey()
    let token = try CompactToken(Example.token)
    #expect(String(decoding: token.header, as: UTF8.self) == "{\"alg\":\"RS256\"}")
    let payload = String(decoding: try token.payload(signedBy: key), as: UTF8.self)
    #expect(payload.contains("\"exp\":1300819380"))
  }

  @Test func `is believed by its own key only, and not when a letter of it is another`() throws {
    let key = try RSAPrivateKey.generate()
    let text = try CompactToken.sign(Array("{\"a\":1}".utf8), key: key, keyID: "k-1")
    let token = try CompactToken(text)
    #expect(String(decoding: token.header, as: UTF8.self) == "{\"alg\":\"RS256\",\"kid\":\"k-1\",\"typ\":\"JWT\"}")
    #expect(try token.payload(signedBy: key.publicKey) == Array("{\"a\":1}".utf8))
    let other = try RSAPrivateKey.generate().publicKey
    let error = #expect(throws: CryptographyError.self) { try token.payload(signedBy: other) }
    #expect(error?.kind == .notAuthentic)
    let parts = text.split(separator: ".")
    let changed = try CompactToken("\(parts[0]).\(Base64URL.encode(Array("{\"a\":2}".utf8))).\(parts[2])")
    #expect(throws: CryptographyError.self) { try changed.payload(signedBy: key.publicKey) }
  }

  /// The algorithm of the header decides nothing.
  @Test func `without a signature, or with one by the public key as a secret, is not believed`() throws {
    let key = try RSAPrivateKey.generate()
    let body = Base64URL.encode(Array("{}".utf8))
    let none = Base64URL.encode(Array("{\"alg\":\"none\"}".utf8))
    #expect(throws: CryptographyError.self) { try CompactToken("\(none).\(body).") }
    #expect(throws: CryptographyError.self) { try CompactToken("\(none).\(body).AA").payload(signedBy: key.publicKey) }
    let signed = "\(Base64URL.encode(Array("{\"alg\":\"HS256\"}".utf8))).\(body)"
    let code = HMAC.sha256(Array(signed.utf8), key: Array(try key.publicKey.pem().utf8))
    let token = try CompactToken("\(signed).\(Base64URL.encode(code))")
    #expect(throws: CryptographyError.self) { try token.payload(signedBy: key.publicKey) }
  }

  @Test(arguments: ["", "a", "a.b", "e30.e30.e30.e30", "..", "e30.e30.", "e30.e3 0.e30", "e30.e30.=", "é.e30.e30"])
  func `has three parts of base64`(text: String) {
    let error = #expect(throws: CryptographyError.self) { try CompactToken(text) }
    #expect(error?.kind == .malformed)
  }

  @Test func `has an end, and a header that nobody breaks`() throws {
    let long = #expect(throws: CryptographyError.self) { try CompactToken(String(repeating: "e", count: 32_769)) }
    #expect(long?.kind == .outOfBounds)
    let key = try RSAPrivateKey.generate()
    #expect(throws: CryptographyError.self) { try CompactToken.sign([], key: key, keyID: "\",\"alg\":\"none") }
  }

  @Test func `has 32,768 bytes, and not one more`() throws {
    let longest = "e30.\(Base64URL.encode([UInt8](repeating: 7, count: 24_569))).AAAA"
    #expect(longest.utf8.count == 32_768)
    #expect(try CompactToken(longest).unverifiedPayload == [UInt8](repeating: 7, count: 24_569))
    for more in [longest + "A", String(repeating: "é", count: 16_385)] {
      let error = #expect(throws: CryptographyError.self) { try CompactToken(more) }
      #expect(error?.kind == .outOfBounds)
    }
    let short = #expect(throws: CryptographyError.self) { try CompactToken(String(repeating: "é", count: 16_384)) }
    #expect(short?.kind == .malformed)
  }

  @Test func `says what it holds before it is believed`() throws {
    let token = try CompactToken("eyJhIjoxfQ.eyJiIjoyfQ.AA")
    #expect(token.header == Array("{\"a\":1}".utf8) && token.unverifiedPayload == Array("{\"b\":2}".utf8))
  }

  @Test func `has a key and a type in plain letters`() throws {
    let key = try RSAPrivateKey.generate()
    func header(_ id: String, _ type: String) throws -> String {
      String(decoding: try CompactToken(CompactToken.sign([1], key: key, keyID: id, type: type)).header, as: UTF8.self)
    }
    #expect(try header(" !#[]~", "at+jwt") == "{\"alg\":\"RS256\",\"kid\":\" !#[]~\",\"typ\":\"at+jwt\"}")
    for wrong in ["\u{1F}", "\u{7F}", "\"", "\\", "é", "\n"] {
      for (id, type) in [("k\(wrong)", "JWT"), ("k", "J\(wrong)")] {
        let error = #expect(throws: CryptographyError.self) { try header(id, type) }
        #expect(error?.kind == .malformed)
      }
    }
  }
}
