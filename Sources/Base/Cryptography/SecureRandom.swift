internal import CCrypto

/// Bytes that nobody can guess, by libcrypto's generator.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    guard let size = Int32(exactly: count), size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let isDone = unsafe RAND_bytes(&bytes, size)
    // To go on would be to give out secrets that can be guessed.
    precondition(isDone == 1, "the machine gives no random bytes")
    return bytes
  }
}
