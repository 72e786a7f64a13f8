internal import CCrypto

/// Signatures of Ed25519 (RFC 8032, 5.1), over the message itself and not over a digest of it.
package enum Ed25519 {
  /// Bytes of a public key, and of the seed that a private key is made from.
  package static let keyCount = 32
  /// Bytes of a signature.
  package static let signatureCount = 64
  /// The most bytes of a message.
  private static let limit = 1 << 30

  /// A private key. Whoever has its seed can sign.
  package struct PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The 32 secret bytes that the key is made from.
    package let seed: [UInt8]
    /// The public half of the key.
    package let publicKey: PublicKey

    /// Makes a key of random bytes.
    package static func generate() throws(CryptographyError) -> PrivateKey {
      try PrivateKey(seed: SecureRandom.bytes(keyCount))
    }

    /// - Parameter seed: 32 secret bytes.
    /// - Throws: `malformed` for another length.
    package init(seed: [UInt8]) throws(CryptographyError) {
      guard seed.count == keyCount, let key = unsafe Self.key(seed) else {
        throw CryptographyError(.malformed, "A private key of Ed25519 has \(keyCount) bytes, and not \(seed.count).")
      }
      defer { unsafe EVP_PKEY_free(key) }
      var bytes = [UInt8](repeating: 0, count: keyCount)
      var count = bytes.count
      guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == keyCount else {
        throw CryptographyError(.library, "libcrypto knows no public half of the key.")
      }
      self.seed = seed
      publicKey = try PublicKey(bytes)
    }

    private static func key(_ seed: [UInt8]) -> OpaquePointer? {
      unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
    }

    /// The signature of a message, 64 bytes. The same message always has the same signature.
    ///
    /// - Throws: `outOfBounds` for more than a gibibyte.
    package func signature(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
      guard message.count <= limit else {
        throw CryptographyError(.outOfBounds, "\(message.count) bytes are too many to be signed at once.")
      }
      let failure = "libcrypto does not sign with this key."
      guard let key = unsafe Self.key(seed), let context = unsafe EVP_MD_CTX_new() else {
        throw CryptographyError(.library, failure)
      }
      defer {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_PKEY_free(key)
      }
      var signature = [UInt8](repeating: 0, count: signatureCount)
      var count = signature.count
      guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signatureCount
      else { throw CryptographyError(.library, failure) }
      return signature
    }

    /// `<redacted>`, so that a log never shows the key.
    package var description: String { "<redacted>" }
    /// Nothing, so that a dump never shows the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// A public key.
  package struct PublicKey: Sendable, Hashable {
    /// The 32 bytes of the key (RFC 8032, 5.1.5).
    package let bytes: [UInt8]

    /// - Parameter bytes: 32 bytes.
    /// - Throws: `malformed` for another length.
    package init(_ bytes: [UInt8]) throws(CryptographyError) {
      guard bytes.count == keyCount else {
        throw CryptographyError(.malformed, "A public key of Ed25519 has \(keyCount) bytes, and not \(bytes.count).")
      }
      self.bytes = bytes
    }

    /// Whether a signature is that of a message by this key. A malformed one is none.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
      guard signature.count == signatureCount, message.count <= limit,
        let key = unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count)
      else { return false }
      defer {
        unsafe EVP_PKEY_free(key)
        ERR_clear_error()
      }
      guard let context = unsafe EVP_MD_CTX_new() else { return false }
      defer { unsafe EVP_MD_CTX_free(context) }
      return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The key as `PUBLIC KEY` in PEM (RFC 8410), as `openssl pkeyutl -pubin` reads it. The text holds the 12 bytes that name
    /// the algorithm, then the key.
    package func pem(_ base64: ([UInt8]) -> String) -> String {
      let header: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
      return "-----BEGIN PUBLIC KEY-----\n\(base64(header + bytes))\n-----END PUBLIC KEY-----\n"
    }
  }
}
