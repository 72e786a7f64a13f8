internal import CCrypto

/// A key of RSA in libcrypto.
///
/// `@unchecked Sendable`: the key is never changed after `init`, and libcrypto allows its use from any thread then.
@safe
final class KeyHandle: @unchecked Sendable {
  /// The sizes that keys may have.
  static let bits = 2_048...8_192
  static let boundsText = "2048 to 8192"
  /// The most bytes of a key in PEM.
  private static let limit = 65_536

  let pointer: OpaquePointer

  /// Takes over a key of libcrypto.
  init(_ made: OpaquePointer?) throws(CryptographyError) {
    guard let made = unsafe made else { throw CryptographyError(.malformed, "The key is none of RSA.") }
    unsafe pointer = made
    guard unsafe ccrypto_is_rsa(made) == 1 else { throw CryptographyError(.malformed, "The key is none of RSA.") }
    let size = Int(unsafe EVP_PKEY_get_bits(made))
    guard Self.bits.contains(size) else {
      throw CryptographyError(.outOfBounds, "A key of RSA has \(Self.boundsText) bits, and not \(size).")
    }
  }

  convenience init(pem: String, isPrivate: Bool) throws(CryptographyError) {
    let text = Array(pem.utf8)
    guard text.count <= Self.limit else {
      throw CryptographyError(.outOfBounds, "\(text.count) bytes are too many for a key.")
    }
    guard let read = unsafe ccrypto_read_key(text, Int32(text.count), isPrivate ? 1 : 0) else {
      throw CryptographyError(
        .malformed, "The text is not a \(isPrivate ? "private key without a passphrase" : "public key") in PEM.")
    }
    try unsafe self.init(read)
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  func pem(isPrivate: Bool) throws(CryptographyError) -> String {
    guard let output = unsafe ccrypto_write_key(pointer, isPrivate ? 1 : 0) else {
      throw CryptographyError(.library, "libcrypto does not write the key.")
    }
    defer { unsafe BIO_free(output) }
    var start: UnsafeMutablePointer<CChar>?
    let count = Int(unsafe ccrypto_contents(output, &start))
    return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// One of the public numbers of the key, big-endian.
  func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    let isRead = unsafe EVP_PKEY_get_bn_param(pointer, name, &number)
    precondition(isRead == 1, "a key of RSA has its public numbers")
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: Int(unsafe ccrypto_number_size(number)))
    unsafe BN_bn2bin(number, &bytes)
    return bytes
  }
}
