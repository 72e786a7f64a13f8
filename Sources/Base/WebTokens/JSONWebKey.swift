package import Cryptography
internal import Text

/// A public key of RSA as JSON says it (RFC 7517 and 7518, 6.3.1).
package struct JSONWebKey: Equatable, Sendable {
  /// The modulus, base64url.
  package let n: String
  /// The exponent, base64url.
  package let e: String

  /// Creates the JSON form of a public key.
  package init(_ key: RSAPublicKey) {
    n = Base64URL.encode(key.modulus)
    e = Base64URL.encode(key.exponent)
  }

  /// What a key set says of a key.
  package init(n: String, e: String) {
    self.n = n
    self.e = e
  }

  /// What the key is known by: its thumbprint (RFC 7638), 43 letters of base64url.
  package var thumbprint: String {
    Base64URL.encode(SHA256.digest(of: Array("{\"e\":\"\(e)\",\"kty\":\"RSA\",\"n\":\"\(n)\"}".utf8)))
  }

  /// - Throws: `malformed` or `outOfBounds` when the numbers are none of a key.
  package func publicKey() throws(CryptographyError) -> RSAPublicKey {
    guard n.utf8.count <= 4_096, e.utf8.count <= 16, let modulus = Base64URL.decode(n),
      let exponent = Base64URL.decode(e)
    else { throw CryptographyError(.malformed, "The numbers of the key are not base64url.") }
    return try RSAPublicKey(modulus: modulus, exponent: exponent)
  }
}
