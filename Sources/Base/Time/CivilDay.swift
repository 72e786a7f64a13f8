/// A day of the proleptic Gregorian calendar: today's rules, applied to all years.
///
/// The arithmetic is that of Howard Hinnant's `chrono` algorithms, in eras of 400 years that begin in March, so that a
/// leap day is the last day of its year.
package struct CivilDay: Sendable, Hashable {
  /// From -9,999 to 9,999; the year 0 is the one before the year 1.
  package let year: Int
  /// From 1 to 12.
  package let month: Int
  /// From 1 to 31.
  package let day: Int

  /// The years that a day can have.
  package static let years = -9_999...9_999

  /// Creates a day, or nil when the calendar has no such day in ``years``.
  package init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates a day from the days since 1970-01-01, negative before. A day outside of ``years`` becomes the nearest inside.
  package init(daysSince1970: Int) {
    let shifted = min(max(daysSince1970, -4_371_587), 2_932_896) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    month = part < 10 ? part + 3 : part - 9
    day = dayOfYear - (153 * part + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days since 1970-01-01, negative before.
  package var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The days since the first of January, from 0.
  package var dayOfYear: Int {
    (1..<month).reduce(day - 1) { $0 + Self.length(ofMonth: $1, year: year) }
  }

  /// The day of the week, from 0 for Sunday to 6.
  package var dayOfWeek: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

  /// Returns the number of days in a month from 1 to 12.
  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension CivilDay: CustomStringConvertible {
  /// The day as ISO 8601 writes it: `2026-01-31`.
  package var description: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }
}

extension Int {
  /// The number with zeros in front up to a width.
  func padded(_ width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
