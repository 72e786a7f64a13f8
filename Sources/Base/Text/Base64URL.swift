/// Base64 for URLs and tokens (RFC 4648, 5), without padding, strict: no white space, no stray bits.
package enum Base64URL {
  /// The text for some bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let letters = Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }
    return String(decoding: letters.map(Self.toURL), as: UTF8.self)
  }

  /// The bytes of a text, or `nil` when it is not strict.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var letters = Array(text.utf8)
    for (place, letter) in letters.enumerated() {
      switch letter {
      case UInt8(ascii: "-"): letters[place] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): letters[place] = UInt8(ascii: "/")
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: break
      }
    }
    while !letters.count.isMultiple(of: 4) { letters.append(UInt8(ascii: "=")) }
    return unsafe letters.withUnsafeBytes { unsafe Base64.decode($0) }
  }

  private static func toURL(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: letter
    }
  }
}
