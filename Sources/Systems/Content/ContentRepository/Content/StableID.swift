/// Identifiers in the form of a UUID that are always the same for the same text.
enum StableID {
  /// Two hashes of 64 bits (FNV-1a, from two beginnings), as a UUID of version 8 (RFC 9562 5.8).
  static func text(of text: String) -> String {
    var (high, low): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4)
    for byte in text.utf8 {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
      low = (low ^ UInt64(byte ^ 0x5A)) &* 0x100_0000_01B3
      low ^= low >> 29
    }
    high = (high & ~0xF000) | 0x8000
    low = (low & ~(0b11 << 62)) | (0b10 << 62)
    let digits = [high, low].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var groups: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }

  /// Whether a text has the form of a UUID, in small letters.
  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) } }
  }
}
