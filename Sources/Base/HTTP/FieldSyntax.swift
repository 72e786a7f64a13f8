/// The parts that header fields are made of (RFC 9110, 5).
package enum FieldSyntax {
  /// Whether two names or tokens are equal without regard to the case of ASCII letters.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { fold($0) == fold($1) }
  }

  /// Returns a text whose ASCII letters are small. `lowercased()` makes one of them of the Kelvin sign too.
  package static func lowercased(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.map(fold), as: UTF8.self)
  }

  private static func fold(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  /// Whether a text is a `token` (RFC 9110, 5.6.2), such as a method or the name of a field.
  package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isOfToken) }

  /// Whether a part of a text is a `token`.
  package static func isToken(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isOfToken) }

  /// Letters, digits and `!#$%&'*+-.^_`|~`.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Whether a text can be the value of a field: it has no control character but the tab (RFC 9110, 5.5).
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Returns a value without the spaces and tabs around it.
  package static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
