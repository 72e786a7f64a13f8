import Time

/// Days and times as clients write them.
package enum TimeText {
  /// A day of the Gregorian calendar: `2026-01-31`. What tells the time behind it is dropped. `nil` for no day.
  package static func date(_ text: String) -> String? {
    var scanner = TimeScanner(text)
    guard let day = scanner.day(years: 1...9_999), scanner.isAtEnd || scanner.take("Tt ") else { return nil }
    return day.description
  }

  /// A point in time as in RFC 3339, from the year 1583 to 9999, with at most nine digits behind the second, of which
  /// the database keeps six. `nil` for none.
  ///
  /// Source: https://www.rfc-editor.org/rfc/rfc3339#section-5.6.
  package static func timestamp(_ text: String) -> String? {
    ZonedTime(text, syntax).map { "\($0.day) \($0.time.text(fractionDigits: 6))\($0.offsetText)" }
  }

  /// PostgreSQL knows no offset of 16 hours and more, and no time zone has one.
  private static let syntax: TimeSyntax = {
    var syntax = TimeSyntax()
    (syntax.years, syntax.separators, syntax.lastSecond, syntax.offsetHours) = (1_583...9_999, "Tt ", 60, 0...15)
    return syntax
  }()
}
