/// Reads the parts of dates and times out of a foreign text, one after the other. Only the digits 0 to 9 of ASCII are
/// digits, and every number is bounded before anything is computed with it.
package struct TimeScanner {
  private var rest: Substring.UTF8View

  /// Starts at the beginning of a text.
  package init(_ text: String) { rest = Substring(text).utf8 }

  /// Whether nothing of the text is left.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Takes the next byte, if it is one of these ASCII characters.
  package mutating func take(_ characters: StaticString) -> Bool {
    guard let byte = rest.first, characters.description.utf8.contains(byte) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes exactly this many digits, at most nine, if their number is in the range.
  package mutating func number(_ count: Int, in range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, let value = Self.number(digits), range.contains(value) else { return nil }
    rest = rest.dropFirst(count)
    return value
  }

  /// Takes a day such as `2026-01-31`; nil when the calendar has no such day.
  package mutating func day(years: ClosedRange<Int>) -> CivilDay? {
    guard let year = number(4, in: years), take("-"), let month = number(2, in: 1...12), take("-"),
      let day = number(2, in: 1...31)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  /// Takes a time of day such as `12:00:00.5`.
  package mutating func timeOfDay(_ syntax: TimeSyntax) -> TimeOfDay? {
    guard let hour = number(2, in: 0...23), take(":"), let minute = number(2, in: 0...59) else { return nil }
    guard take(":") else { return syntax.isBrief ? TimeOfDay(hour: hour, minute: minute) : nil }
    guard let second = number(2, in: 0...syntax.lastSecond) else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute, second: second)
    guard take(".") else { return time }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard syntax.fraction.contains(digits.count), let value = Self.number(digits.prefix(9)) else { return nil }
    rest = rest.dropFirst(digits.count)
    time.fractionDigits = min(digits.count, 9)
    time.nanoseconds = (time.fractionDigits..<9).reduce(value) { value, _ in value * 10 }
    return time
  }

  /// Takes `Z` or an offset such as `+01:00`.
  ///
  /// - Returns: the seconds that local time is ahead of UTC.
  package mutating func offset(_ syntax: TimeSyntax) -> Int? {
    if take("Zz") || (syntax.isBrief && isAtEnd) { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2, in: syntax.offsetHours) else { return nil }
    let sign = isBehind ? -1 : 1
    if syntax.isBrief, isAtEnd { return sign * hours * 3_600 }
    guard take(":") || syntax.isBrief, let minutes = number(2, in: 0...59) else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// A time of day.
package struct TimeOfDay: Sendable, Hashable {
  /// From 0 to 23.
  package var hour: Int
  /// From 0 to 59.
  package var minute: Int
  /// From 0 to 60; 60 is a leap second.
  package var second = 0
  /// From 0 to 999,999,999.
  package var nanoseconds = 0
  /// How many digits, at most nine, the text has behind its second.
  package var fractionDigits = 0

  /// The seconds since midnight.
  package var seconds: Int { hour * 3_600 + minute * 60 + second }

  /// The time of day with as many digits behind the second as the text has, but at most this many: `12:00:00.50`.
  package func text(fractionDigits most: Int) -> String {
    let clock = "\(hour.padded(2)):\(minute.padded(2)):\(second.padded(2))"
    return fractionDigits == 0 ? clock : "\(clock).\(nanoseconds.padded(9).prefix(min(fractionDigits, most)))"
  }
}
