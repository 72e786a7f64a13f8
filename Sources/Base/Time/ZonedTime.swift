/// A day, a time of day and an offset from UTC, as RFC 3339 writes them: `2026-01-31T12:00:00.5+01:00`.
package struct ZonedTime: Sendable, Hashable {
  /// The local day.
  package let day: CivilDay
  /// The local time of day.
  package let time: TimeOfDay
  /// The seconds that local time is ahead of UTC.
  package let offset: Int

  /// Reads a text of at most 40 bytes; nil when it has another form or names no point in time.
  package init?(_ text: String, _ syntax: TimeSyntax = TimeSyntax()) {
    guard text.utf8.count <= 40 else { return nil }
    var scanner = TimeScanner(text)
    guard let day = scanner.day(years: syntax.years), scanner.take(syntax.separators),
      let time = scanner.timeOfDay(syntax), let offset = scanner.offset(syntax), scanner.isAtEnd
    else { return nil }
    (self.day, self.time, self.offset) = (day, time, offset)
  }

  /// The point in time, which can be a day outside of the years of the text.
  package var unix: UnixTime {
    UnixTime(
      seconds: Int64(day.daysSince1970 * 86_400 + time.seconds - offset), nanoseconds: Int32(time.nanoseconds))
  }

  /// The offset from UTC as `+01:00`.
  package var offsetText: String {
    let minutes = Int(offset.magnitude) / 60
    return "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(2)):\((minutes % 60).padded(2))"
  }
}

/// The forms of dates and times that a caller accepts. As it is made, those of RFC 3339, 5.6, from the year 1 to 9999,
/// with at most nine digits behind the second.
package struct TimeSyntax: Sendable {
  /// The years of a day, each written with four digits.
  package var years = 1...9_999
  /// The characters that may stand between the day and the time of day.
  package var separators: StaticString = "Tt"
  /// The largest number of seconds: 59, or 60 where leap seconds are accepted.
  package var lastSecond = 59
  /// How many digits may stand behind the second. Those behind the ninth are dropped.
  package var fraction = 1...9
  /// The hours of an offset from UTC.
  package var offsetHours = 0...23
  /// Whether a text may lack the seconds, the offset (which then is UTC), and the colon or the minutes of the offset, as
  /// ISO 8601 allows.
  package var isBrief = false

  /// The forms of RFC 3339.
  package init() {}
}
