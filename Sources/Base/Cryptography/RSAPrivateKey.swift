internal import CCrypto

/// A private key for RSASSA-PKCS1-v1_5 with SHA-256, which JSON Web Signatures call RS256.
package struct RSAPrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let key: KeyHandle

  /// - Parameter pem: a `PRIVATE KEY` or `RSA PRIVATE KEY` in PEM, without a passphrase.
  /// - Throws: `malformed` when it is none of RSA, `outOfBounds` when it has less than 2048 or more than 8192 bits.
  package init(pem: String) throws(CryptographyError) {
    key = try KeyHandle(pem: pem, isPrivate: true)
  }

  private init(_ key: KeyHandle) { self.key = key }

  /// Makes a key. Takes a tenth of a second and more.
  ///
  /// - Parameter bits: 2048 to 8192.
  package static func generate(bits: Int = 2_048) throws(CryptographyError) -> RSAPrivateKey {
    guard KeyHandle.bits.contains(bits) else {
      throw CryptographyError(.outOfBounds, "A key of RSA has \(KeyHandle.boundsText) bits, and not \(bits).")
    }
    return RSAPrivateKey(try unsafe KeyHandle(ccrypto_rsa_generate(UInt32(bits))))
  }

  /// The public half of the key.
  package var publicKey: RSAPublicKey { RSAPublicKey(key) }

  /// The key as `PRIVATE KEY` in PEM: whoever has the text can sign.
  package func pem() throws(CryptographyError) -> String { try key.pem(isPrivate: true) }

  /// The signature of some bytes.
  package func signature(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let failure = CryptographyError(.library, "libcrypto does not sign with this key.")
    guard let context = unsafe EVP_MD_CTX_new() else { throw failure }
    defer { unsafe EVP_MD_CTX_free(context) }
    let key = unsafe key.pointer
    var count = Int(unsafe EVP_PKEY_get_size(key))
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
    else { throw CryptographyError(.library, failure.message) }
    return Array(signature.prefix(count))
  }

  /// `<redacted>`, so that a log never shows the key.
  package var description: String { "<redacted>" }
  /// An empty mirror, so that a dump never shows the key.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
