internal import CCrypto

/// A public key for RSASSA-PKCS1-v1_5 with SHA-256, which JSON Web Signatures call RS256.
package struct RSAPublicKey: Sendable {
  private let key: KeyHandle

  init(_ key: KeyHandle) { self.key = key }

  /// - Parameter pem: a `PUBLIC KEY` in PEM.
  /// - Throws: `malformed` when it is none of RSA, `outOfBounds` when it has less than 2048 or more than 8192 bits.
  package init(pem: String) throws(CryptographyError) {
    key = try KeyHandle(pem: pem, isPrivate: false)
  }

  /// - Parameters:
  ///   - modulus: big-endian.
  ///   - exponent: big-endian.
  /// - Throws: as for PEM.
  package init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
    guard (1...2_048).contains(modulus.count), (1...8).contains(exponent.count) else {
      throw CryptographyError(.outOfBounds, "The numbers of the key are too long or too short.")
    }
    let made = unsafe ccrypto_rsa_public(modulus, Int32(modulus.count), exponent, Int32(exponent.count))
    key = try unsafe KeyHandle(made)
  }

  /// The key as `PUBLIC KEY` in PEM.
  package func pem() throws(CryptographyError) -> String { try key.pem(isPrivate: false) }

  /// The number that both keys share, big-endian.
  package var modulus: [UInt8] { key.number("n") }

  /// The public exponent, big-endian.
  package var exponent: [UInt8] { key.number("e") }

  /// Whether the signature is of these bytes and of this key.
  package func isValid(signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    let key = unsafe key.pointer
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }
}
