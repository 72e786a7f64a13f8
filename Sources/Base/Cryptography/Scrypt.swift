internal import CCrypto

/// A key from a password, at a price for who guesses: scrypt (RFC 7914).
package enum Scrypt {
  /// What one derivation costs.
  package struct Cost: Equatable, Sendable {
    /// The binary logarithm of the work and memory, 1 to 20.
    package var logarithm: Int
    /// Blocks of 128 bytes, 1 to 32.
    package var blocks: Int
    /// Independent runs, 1 to 16.
    package var lanes: Int

    /// Creates a cost: N is 2 to the power of `logarithm`, r is `blocks`, p is `lanes` (RFC 7914).
    package init(logarithm: Int = 14, blocks: Int = 8, lanes: Int = 1) {
      self.logarithm = logarithm
      self.blocks = blocks
      self.lanes = lanes
    }

    /// Whether it can be paid: at most 256 MiB of memory.
    package var isBounded: Bool {
      (1...20).contains(logarithm) && (1...32).contains(blocks) && (1...16).contains(lanes)
        && 128 * blocks << logarithm <= 256 << 20
    }
  }

  /// Derives a key. Takes some dozens of milliseconds with the default cost.
  ///
  /// - Parameter count: bytes of the key, 1 to 1024.
  /// - Throws: `outOfBounds` for a cost or a length out of bounds, or a password of more than 4096 bytes.
  package static func key(
    password: [UInt8], salt: [UInt8], cost: Cost = Cost(), count: Int = 32
  ) throws(CryptographyError) -> [UInt8] {
    guard cost.isBounded, (1...1_024).contains(count), password.count <= 4_096, salt.count <= 1_024 else {
      throw CryptographyError(.outOfBounds, "The cost or a length is out of the bounds for scrypt.")
    }
    var key = [UInt8](repeating: 0, count: count)
    // No address stands for no password.
    let isDone = unsafe (password + [0]).withUnsafeBufferPointer { password in
      unsafe EVP_PBE_scrypt(
        UnsafeRawPointer(password.baseAddress)?.assumingMemoryBound(to: CChar.self), password.count - 1, salt,
        salt.count, 1 << UInt64(cost.logarithm), UInt64(cost.blocks), UInt64(cost.lanes), 512 << 20, &key, count)
    }
    guard isDone == 1 else { throw CryptographyError(.library, "libcrypto derives no key by scrypt.") }
    return key
  }
}
