/// Looks at HTML before the parser sees it: attributes are compared with one another while a tag is read, which is
/// quadratic, so the parser gets no tag with very many.
enum HTMLGuard {
  private static let attributes = 1_024

  /// Counts what looks like a name between `<` and the next one, quoted or not: never less than the attributes of a tag,
  /// except for those behind a `<` in quotes, which are counted by themselves.
  static func check(_ bytes: [UInt8]) throws(MultiLineTextError) {
    var names = 0
    var isInTag = false
    var isAfterSpace = false
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"):
        let next = offset + 1 < bytes.count ? bytes[offset + 1] | 0x20 : 0
        if UInt8(ascii: "a")...UInt8(ascii: "z") ~= next { (names, isInTag) = (0, true) }
      case UInt8(ascii: ">"): isInTag = false
      case 0x20, 0x0A, 0x09, 0x0C, UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"): isAfterSpace = true
      default:
        if isInTag, isAfterSpace { names += 1 }
        isAfterSpace = false
        guard names > attributes else { continue }
        throw MultiLineTextError(
          "A tag has more than \(attributes) attributes.", recovery: "Close the tag with >, or write &lt; for <.",
          line: String.line(of: offset, in: bytes))
      }
    }
  }
}
