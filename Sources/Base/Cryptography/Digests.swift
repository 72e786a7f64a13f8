internal import CCrypto

/// A digest of bytes that arrive in pieces: SHA-256 (FIPS 180-4).
@safe
package struct SHA256: ~Copyable {
  /// Bytes of a digest.
  package static let count = 32

  private let context: OpaquePointer

  /// Begins a digest of no bytes.
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

/// The digest SHA-512 (FIPS 180-4), for what others made with it.
package enum SHA512 {
  /// The digest of some bytes, 64 bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 64)
    let isDone = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha512(), nil)
    precondition(isDone == 1, "libcrypto has no SHA-512")
    return digest
  }
}

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

/// Authentication of bytes by a shared key: HMAC with SHA-256 (RFC 2104).
package enum HMAC {
  /// The code for some bytes, 32 bytes.
  package static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(key.count <= 1 << 20, "a key is not a file")
    // A key of no bytes is a key too; the library takes no address for "the key of before".
    let padded = key.isEmpty ? [0] : key
    var code = [UInt8](repeating: 0, count: SHA256.count)
    let done = unsafe CCrypto.HMAC(
      EVP_sha256(), padded, Int32(clamping: padded.count), bytes, bytes.count, &code, nil)
    precondition(unsafe done != nil, "libcrypto has no HMAC with SHA-256")
    return code
  }
}

/// Comparison of secrets whose time tells nothing of where they differ.
package enum ConstantTime {
  /// Whether both are the same. Only the lengths show in the time.
  package static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Whether both are the same, byte for byte.
  package static func isEqual(_ one: String, _ other: String) -> Bool {
    isEqual(Array(one.utf8), Array(other.utf8))
  }
}

/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  /// Two lower-case digits for each byte.
  package static func text(for bytes: some Sequence<UInt8>) -> String { text(for: Array(bytes)) }

  /// Two lower-case digits for each byte.
  package static func text(for bytes: [UInt8]) -> String {
    unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (place, byte) in bytes.enumerated() {
        unsafe text[2 * place] = digit(byte >> 4)
        unsafe text[2 * place + 1] = digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
