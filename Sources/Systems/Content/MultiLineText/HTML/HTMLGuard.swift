/// Checks HTML before the parser reads it. The parser compares each attribute of a tag with all others, which takes
/// quadratic time, so the guard rejects a tag with very many.
///
/// The guard does not recognise comments and scripts. The part that one of them hides from the count is no longer than
/// a value.
struct HTMLGuard {
  private static let attributes = 1_024
  private static let longestValue = 8 << 10

  private enum State { case text, tag, equals, quoted(UInt8) }

  private var state = State.text
  private var names = 0
  private var length = 0
  private var isAfterSpace = false

  static func check(_ bytes: [UInt8]) throws(MultiLineTextError) {
    var guarding = HTMLGuard()
    for (offset, byte) in bytes.enumerated() {
      guarding.take(byte, before: offset + 1 < bytes.count ? bytes[offset + 1] : 0)
      if guarding.names > attributes {
        throw MultiLineTextError(
          "A tag has more than \(attributes) attributes.", recovery: "Close the tag with >, or write &lt; for <.",
          line: String.line(of: offset, in: bytes))
      }
      if guarding.length > longestValue {
        throw MultiLineTextError(
          "An attribute is longer than \(longestValue / 1024) KiB.",
          recovery: "Close its quotation marks, and refer to pictures by their addresses.",
          line: String.line(of: offset, in: bytes))
      }
    }
  }

  private mutating func take(_ byte: UInt8, before next: UInt8) {
    let isSpace = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == UInt8(ascii: "/")
    switch state {
    case .quoted(let mark) where mark == byte: (state, length, isAfterSpace) = (.tag, 0, true)
    case .quoted: length += 1
    case .text:
      let isTag = byte == UInt8(ascii: "<") && UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20
      if isTag { (state, names, isAfterSpace) = (.tag, 0, false) }
    case _ where byte == UInt8(ascii: ">"): state = .text
    case .equals where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"): state = .quoted(byte)
    case .equals: if !isSpace { state = .tag }
    case .tag:
      if byte == UInt8(ascii: "=") { state = .equals }
      if isAfterSpace, !isSpace { names += 1 }
      isAfterSpace = isSpace
    }
  }
}
