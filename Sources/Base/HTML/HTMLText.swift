/// Text as the content of an element or as the value of an attribute.
enum HTMLText {
  /// Returns a text without anything that a browser reads as mark-up, or that changes how other text is shown.
  ///
  /// The characters with a meaning in mark-up become references (HTML, 13.1.2.4 and 13.1.4). Controls, and the characters
  /// that embed, override or isolate the direction of writing, become U+FFFD: one that is not closed would reach beyond its
  /// element.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "`": result += "&#96;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
  }

  /// Returns the beginning of a text, with a mark when there is more.
  ///
  /// - Parameter most: the most Unicode scalars. Characters would bound nothing, since one may have any number of accents.
  static func cut(_ text: some StringProtocol, _ most: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: max(0, most), limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return String(text) }
    return String(String.UnicodeScalarView(scalars[..<end])) + "…"
  }
}
