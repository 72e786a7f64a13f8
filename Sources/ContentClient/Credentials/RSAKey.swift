internal import CCrypto
internal import ConfigurationFiles

/// A private RSA key in PEM, as libcrypto reads it. It is read anew for each signature, of which there are few.
enum RSAKey {
  /// Signs with RSASSA-PKCS1-v1_5 and SHA-256, which is RS256 (RFC 7518, 3.3).
  ///
  /// - Returns: nil when the key cannot be used.
  static func signature(of bytes: [UInt8], by key: Secret) -> [UInt8]? {
    unsafe withKey(key) { key in
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      defer { unsafe EVP_MD_CTX_free(context) }
      guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
      var count = 0
      guard unsafe EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1, (1...4096).contains(count) else {
        return nil
      }
      var signature = [UInt8](repeating: 0, count: count)
      guard unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else { return nil }
      return Array(signature.prefix(count))
    }
  }

  /// Whether it is a private RSA key of 2048 to 16384 bits without a passphrase.
  static func isUsable(_ key: Secret) -> Bool {
    unsafe withKey(key) { key in
      unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && (2048...16_384).contains(EVP_PKEY_get_bits(key)) ? true : nil
    } ?? false
  }

  private static func withKey<Value>(_ key: Secret, _ body: (OpaquePointer) -> Value?) -> Value? {
    let text = Array(key.revealed().utf8)
    guard text.count <= 64 << 10 else { return nil }
    // What libcrypto remembers of a failure belongs to nobody.
    defer { ERR_clear_error() }
    return unsafe text.withUnsafeBytes { bytes in
      guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { unsafe BIO_free(source) }
      // Without this libcrypto would ask the terminal for a passphrase.
      guard let key = unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else { return nil }
      defer { unsafe EVP_PKEY_free(key) }
      return unsafe body(key)
    }
  }
}
