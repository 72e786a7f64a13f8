/// Days and times as clients write them.
package enum TimeText {
  /// A day of the Gregorian calendar: `2026-01-31`. What tells the time behind it is dropped. `nil` for no day.
  package static func date(_ text: String) -> String? {
    var reader = DigitReader(text)
    guard let day = reader.day(years: 1...9999) else { return nil }
    guard reader.isAtEnd || reader.take("Tt ") else { return nil }
    return day
  }

  /// A point in time as in RFC 3339, from the year 1583 to 9999, with at most nine digits behind the second, of which
  /// the database keeps six. `nil` for none.
  ///
  /// Source: https://www.rfc-editor.org/rfc/rfc3339#section-5.6.
  package static func timestamp(_ text: String) -> String? {
    var reader = DigitReader(text)
    guard let day = reader.day(years: 1583...9999), reader.take("Tt "), let hour = reader.number(2, in: 0...23),
      reader.take(":"), let minute = reader.number(2, in: 0...59), reader.take(":"),
      let second = reader.number(2, in: 0...60)
    else { return nil }
    var fraction = ""
    if reader.take(".") {
      guard let digits = reader.digits(1...9) else { return nil }
      fraction = ".\(digits.prefix(6))"
    }
    let offset: String
    if reader.take("Zz") {
      offset = "+00:00"
    } else {
      let isNegative = reader.take("-")
      guard isNegative || reader.take("+"), let hours = reader.number(2, in: 0...23), reader.take(":"),
        let minutes = reader.number(2, in: 0...59)
      else { return nil }
      // PostgreSQL knows no offset of 16 hours and more, and no time zone has one.
      guard Int(hours).map({ $0 < 16 }) == true else { return nil }
      offset = "\(isNegative ? "-" : "+")\(hours):\(minutes)"
    }
    return reader.isAtEnd ? "\(day) \(hour):\(minute):\(second)\(fraction)\(offset)" : nil
  }
}

/// Reads digits and the characters between them.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes one of these characters, if it is next.
  mutating func take(_ characters: StaticString) -> Bool {
    guard let byte = rest.first, characters.description.utf8.contains(byte) else { return false }
    rest.removeFirst()
    return true
  }

  /// As many digits as there are, if there are so many.
  mutating func digits(_ count: ClosedRange<Int>) -> String? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard count.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return String(Substring(digits))
  }

  /// Exactly so many digits, whose number is one of these.
  mutating func number(_ count: Int, in range: ClosedRange<Int>) -> String? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let text = String(Substring(digits))
    guard let number = Int(text), range.contains(number) else { return nil }
    rest = rest.dropFirst(count)
    return text
  }

  mutating func day(years: ClosedRange<Int>) -> String? {
    guard let year = number(4, in: years), take("-"), let month = number(2, in: 1...12), take("-"),
      let day = number(2, in: 1...31), let numbers = [year, month, day].map({ Int($0) }) as? [Int]
    else { return nil }
    let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
    let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][numbers[1] - 1]
    return numbers[2] <= length ? "\(year)-\(month)-\(day)" : nil
  }
}
