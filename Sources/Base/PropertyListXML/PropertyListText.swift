import Text
import PropertyList
import Time

/// The texts of scalar elements.
enum PropertyListText {
  /// The value of an element, or `nil` when the text does not fit it.
  static func value(_ element: String, _ text: String) -> PropertyListValue? {
    switch element {
    case "string": return .string(text)
    case "integer": return integer(trimmed(text)).map { .integer($0) }
    case "real": return Double(trimmed(text)).flatMap { $0.isFinite ? .real($0) : nil }
    case "date": return date(trimmed(text)).map { .date($0) }
    case "data": return Base64.decode(String(text.filter { !$0.isWhitespace })).map { .data($0) }
    default: return nil
    }
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(String(start.reversed()).drop(while: \.isWhitespace).reversed())
  }

  /// Decimal digits with an optional sign, or hexadecimal digits after `0x`.
  private static func integer(_ text: String) -> Int64? {
    let digits = text.lowercased()
    if digits.hasPrefix("0x"), digits.dropFirst(2).first?.isHexDigit == true {
      return Int64(digits.dropFirst(2), radix: 16)
    }
    return Int64(text)
  }

  /// `2026-01-31T12:00:00Z` as seconds since 1970: UTC and whole seconds only, from the year 0 to 9999.
  private static func date(_ text: String) -> Double? {
    var syntax = TimeSyntax()
    (syntax.years, syntax.separators) = (0...9_999, "T")
    guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z") else { return nil }
    return ZonedTime(text, syntax).map { Double($0.unix.seconds) }
  }
}
