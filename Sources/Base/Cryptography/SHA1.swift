internal import CCrypto

/// The digest SHA-1 (FIPS 180-4), for protocols that are made of it, such as the handshake of WebSockets. It protects
/// nothing any more: what has to be safe takes `SHA256`.
package enum SHA1 {
  /// Bytes of a digest.
  package static let count = 20

  /// The digest of some bytes, 20 bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    let isDone = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil)
    precondition(isDone == 1, "libcrypto has no SHA-1")
    return digest
  }
}
