internal import CCrypto

/// Verifies signatures that other programs made with keys that are none of Ed25519.
///
/// What is signed here is signed with Ed25519 alone. These are the other algorithms by which the metadata of an index may be
/// signed (The Update Framework, 4.2); no other curve, digest or length of key is taken.
package enum ForeignKey {
  /// How a key signs; always with SHA-256.
  package enum Scheme: Sendable, Equatable {
    /// ECDSA on the curve P-256, the signature in DER (FIPS 186-5, 6).
    case ecdsaP256
    /// RSASSA-PSS (RFC 8017, 8.1), with a salt of any length.
    case rsaPSS
    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
    case rsaPKCS1
  }

  private static let limit = 1 << 30

  /// Whether a signature is that of some bytes by the key in a text in PEM. A text that holds no key of the scheme, or one of
  /// RSA with less than 2,048 or more than 8,192 bits, has signed nothing.
  package static func isValid(_ signature: [UInt8], for bytes: [UInt8], pem: String, _ scheme: Scheme) -> Bool {
    let text = Array(pem.utf8)
    guard text.count <= 65_536, signature.count <= 65_536, bytes.count <= limit else { return false }
    defer { ERR_clear_error() }
    return unsafe ccrypto_is_signed(
      text, Int32(text.count), scheme == .ecdsaP256 ? 0 : 1, scheme == .rsaPSS ? 1 : 0, signature, signature.count,
      bytes, bytes.count) == 1
  }
}
