/// Percent-encoding of the parts of a URL (RFC 3986, 2.1).
package enum PercentEncoding {
  /// The text after one decoding; nil when an escape is cut or is none, or when the bytes are not UTF-8.
  package static func decoded(_ text: String) -> String? { decoded(text[...]) }

  /// A part of a text after one decoding; nil as for a whole one.
  package static func decoded(_ text: Substring) -> String? {
    // Most texts have none, and are as they are.
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the text of one name or value of a form (`application/x-www-form-urlencoded`), where a plus sign is a space;
  /// nil as `decoded` does.
  package static func decodedForm(_ text: some StringProtocol) -> String? {
    decoded(String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self))
  }

  /// Returns a text whose bytes are escaped, except letters, digits and those that are kept.
  ///
  /// - Parameters:
  ///   - kept: ASCII characters to leave as they are; those that no form and no URL takes for something else (RFC 3986,
  ///     2.3) unless given.
  ///   - keepsEscapes: whether a percent sign with two hexadecimal digits behind it stays as well.
  package static func encoded(
    _ text: some StringProtocol, keeping kept: String = "-._~", keepsEscapes: Bool = false
  ) -> String {
    encoded(bytes: text.utf8, keeping: kept, keepsEscapes: keepsEscapes)
  }

  /// Returns the escaped text of bytes, which need not be UTF-8.
  package static func encoded(
    bytes: some Sequence<UInt8>, keeping kept: String = "-._~", keepsEscapes: Bool = false
  ) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = Array(bytes)
    var result: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.append(byte)
      case _ where kept.utf8.contains(byte): result.append(byte)
      case UInt8(ascii: "%") where keepsEscapes && bytes[(place + 1)...].prefix(2).compactMap(digit).count == 2:
        result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a text as `encodeURIComponent` gives it (ECMA-262, 19.2.6.4).
  package static func component(_ text: some StringProtocol) -> String { encoded(text, keeping: "-_.!~*'()") }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
