internal import CCrypto

/// Authentication of bytes by a shared key: HMAC with SHA-256 (RFC 2104).
package enum HMAC {
  /// The code for some bytes, 32 bytes.
  package static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(key.count <= 1 << 20, "a key is no file")
    // A key of no bytes is a key too; the library takes no address for "the key of before".
    let padded = key.isEmpty ? [0] : key
    var code = [UInt8](repeating: 0, count: SHA256.count)
    let done = unsafe CCrypto.HMAC(
      EVP_sha256(), padded, Int32(clamping: padded.count), bytes, bytes.count, &code, nil)
    precondition(unsafe done != nil, "libcrypto has no HMAC with SHA-256")
    return code
  }
}
