internal import CCrypto

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
