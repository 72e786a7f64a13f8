import CCrypto

/// What tells one file's contents from every other's: SHA-256 (FIPS 180-4), by libcrypto.
enum Fingerprint {
  /// 64 hexadecimal digits.
  static func of(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let done = bytes.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    precondition(done == 1, "libcrypto has no SHA-256")
    return digest.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0\(text)" : text
    }.joined()
  }
}
