internal import CCrypto

/// The SHA-256 digest of libcrypto.
enum SHA256 {
  /// Lower-case hexadecimal; nil when libcrypto has no memory.
  static func hexadecimal(of text: String) -> String? {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
