internal import CCrypto

/// A digest of bytes that arrive in pieces: SHA-256 (FIPS 180-4).
@safe
package struct SHA256: ~Copyable {
  /// Bytes of a digest.
  package static let count = 32

  private let context: OpaquePointer

  package init() {
    guard let made = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(made, EVP_sha256(), nil) == 1 else {
      preconditionFailure("libcrypto has no SHA-256")
    }
    unsafe context = made
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds the next bytes.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone = bytes.withContiguousStorageIfAvailable { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    if isDone == nil {
      update(Array(bytes))
    } else {
      precondition(isDone == 1, "a digest takes every byte")
    }
  }

  /// The digest of everything that was added, 32 bytes.
  package consuming func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.count)
    let isDone = unsafe EVP_DigestFinal_ex(context, &digest, nil)
    precondition(isDone == 1, "a digest ends")
    return digest
  }

  /// The digest of some bytes, 32 bytes.
  package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finalize()
  }

  /// The digest of some bytes as 64 lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: some Collection<UInt8>) -> String {
    Hexadecimal.text(for: digest(of: bytes))
  }
}
