internal import CCrypto

/// Encryption that notices every change: AES-256 in Galois/counter mode (NIST SP 800-38D).
package enum AESGCM {
  /// Bytes of a key.
  package static let keyCount = 32
  /// Bytes of a nonce.
  package static let nonceCount = 12
  /// Bytes of a tag.
  package static let tagCount = 16
  /// The most bytes of one box.
  private static let limit = 1 << 30

  /// Encrypts: nonce, ciphertext and tag, one after the other.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - nonce: 12 bytes, never twice with one key; random when `nil`, good for 2^32 boxes of one key.
  ///   - context: bytes that are authenticated and not contained.
  /// - Throws: `outOfBounds` for a key or a nonce of another length, and for more than a gibibyte.
  package static func seal(
    _ bytes: [UInt8], key: [UInt8], nonce: [UInt8]? = nil, context: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    let nonce = nonce ?? SecureRandom.bytes(nonceCount)
    try check(key: key, nonce: nonce, count: max(bytes.count, context.count))
    guard let cipher = unsafe EVP_CIPHER_CTX_new() else { throw failure }
    defer { unsafe EVP_CIPHER_CTX_free(cipher) }
    var sealed = [UInt8](repeating: 0, count: bytes.count)
    var tag = [UInt8](repeating: 0, count: tagCount)
    var length: Int32 = 0
    var rest = [UInt8](repeating: 0, count: tagCount)
    guard unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      unsafe EVP_EncryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
      unsafe EVP_EncryptUpdate(cipher, &sealed, &length, bytes, Int32(bytes.count)) == 1,
      unsafe EVP_EncryptFinal_ex(cipher, &rest, &length) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag) == 1
    else { throw failure }
    return nonce + sealed + tag
  }

  /// Decrypts what `seal` made.
  ///
  /// - Throws: `malformed` when it is too short for a box, `notAuthentic` when the key or the context is another or a
  ///   bit was changed.
  package static func open(
    _ box: [UInt8], key: [UInt8], context: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    guard box.count >= nonceCount + tagCount else {
      throw CryptographyError(.malformed, "\(box.count) bytes are too few for an encrypted box.")
    }
    let nonce = Array(box.prefix(nonceCount))
    let sealed = Array(box.dropFirst(nonceCount).dropLast(tagCount))
    var tag = Array(box.suffix(tagCount))
    try check(key: key, nonce: nonce, count: max(sealed.count, context.count))
    guard let cipher = unsafe EVP_CIPHER_CTX_new() else { throw failure }
    defer { unsafe EVP_CIPHER_CTX_free(cipher) }
    var bytes = [UInt8](repeating: 0, count: sealed.count)
    var length: Int32 = 0
    var rest = [UInt8](repeating: 0, count: tagCount)
    guard unsafe EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      unsafe EVP_DecryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
      unsafe EVP_DecryptUpdate(cipher, &bytes, &length, sealed, Int32(sealed.count)) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
    else { throw failure }
    guard unsafe EVP_DecryptFinal_ex(cipher, &rest, &length) == 1 else {
      throw CryptographyError(.notAuthentic, "The encrypted bytes were changed, or the key is another.")
    }
    return bytes
  }

  private static func check(key: [UInt8], nonce: [UInt8], count: Int) throws(CryptographyError) {
    guard key.count == keyCount else {
      throw CryptographyError(.outOfBounds, "A key of AES-256 has \(keyCount) bytes, and not \(key.count).")
    }
    guard nonce.count == nonceCount else {
      throw CryptographyError(.outOfBounds, "A nonce has \(nonceCount) bytes, and not \(nonce.count).")
    }
    guard count <= limit else {
      throw CryptographyError(.outOfBounds, "\(count) bytes are too many for one encrypted box.")
    }
  }

  private static var failure: CryptographyError { CryptographyError(.library, "libcrypto does no AES-256-GCM.") }
}
