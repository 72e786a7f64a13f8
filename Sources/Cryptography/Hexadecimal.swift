/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  /// Two lower-case digits for each byte.
  package static func text(for bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
