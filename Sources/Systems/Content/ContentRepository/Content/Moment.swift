import Time

/// A date, a time of day, or both (ISO 8601), as a number that tells which comes first.
struct Moment: Sendable, Hashable, Comparable {
  /// Since the beginning of 1970, or of the day, in UTC; a time without zone is taken for one of UTC.
  let milliseconds: Int64

  enum Form: Sendable { case date, time, dateTime }

  static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }

  /// - Returns: `nil` for what is none.
  init?(_ text: String, _ form: Form) {
    guard text.utf8.count <= 40 else { return nil }
    var scanner = TimeScanner(text)
    var milliseconds: Int64 = 0
    if form != .time {
      guard let day = scanner.day(years: Self.syntax.years) else { return nil }
      milliseconds = Int64(day.daysSince1970) * 86_400_000
    }
    if form == .dateTime, !scanner.take(Self.syntax.separators) { return nil }
    if form != .date {
      guard let time = scanner.timeOfDay(Self.syntax), let offset = scanner.offset(Self.syntax) else { return nil }
      milliseconds += Int64(time.seconds - offset) * 1_000 + Int64(time.nanoseconds / 1_000_000)
    }
    guard scanner.isAtEnd else { return nil }
    self.milliseconds = milliseconds
  }

  private static let syntax: TimeSyntax = {
    var syntax = TimeSyntax()
    (syntax.years, syntax.separators, syntax.offsetHours, syntax.isBrief) = (0...9_999, "Tt ", 0...18, true)
    return syntax
  }()
}
