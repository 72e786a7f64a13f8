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
