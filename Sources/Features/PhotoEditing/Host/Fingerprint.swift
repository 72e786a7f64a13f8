import Cryptography

/// What tells one file's contents from every other's: SHA-256 (FIPS 180-4).
enum Fingerprint {
  /// 64 hexadecimal digits.
  static func of(_ bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }
}
