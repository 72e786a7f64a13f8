import Text
import PropertyList

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

  /// `2026-01-31T12:00:00Z` as seconds since 1970, by the civil calendar (ISO 8601, UTC only).
  private static func date(_ text: String) -> Double? {
    let letters = Array(text.utf8)
    let shape = Array("0000-00-00T00:00:00Z".utf8)
    guard letters.count == shape.count else { return nil }
    for (letter, expected) in zip(letters, shape) {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
      guard expected == UInt8(ascii: "0") ? isDigit : letter == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int { letters[range].reduce(0) { $0 * 10 + Int($1) - 48 } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard 1...12 ~= month, 1...daysInMonth(year, month) ~= day, hour < 24, minute < 60, second < 60 else { return nil }
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    // Days from 0000-03-01 to 1970-01-01 are 719,468. Years before the year 0 do not occur: four digits, no sign.
    let days =
      shifted * 365 + floorDivide(shifted, 4) - floorDivide(shifted, 100) + floorDivide(shifted, 400) + dayOfYear
    return Double((days - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func floorDivide(_ one: Int, _ other: Int) -> Int {
    one >= 0 ? one / other : -((other - 1 - one) / other)
  }

  private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
