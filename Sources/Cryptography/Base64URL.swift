private import Base64

/// Base64 for URLs and tokens (RFC 4648, 5), without padding, strict: no white space, no stray bits.
package enum Base64URL {
  /// The text for some bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let letters = Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }
    return String(decoding: letters.map(Self.toURL), as: UTF8.self)
  }

  /// The bytes of a text, or `nil` when it is not strict.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var letters: [UInt8] = []
    letters.reserveCapacity(text.utf8.count + 3)
    for letter in text.utf8 {
      switch letter {
      case UInt8(ascii: "-"): letters.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): letters.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: letters.append(letter)
      }
    }
    while !letters.count.isMultiple(of: 4) { letters.append(UInt8(ascii: "=")) }
    return Base64.decode(String(decoding: letters, as: UTF8.self))
  }

  private static func toURL(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: letter
    }
  }
}
