/// Seconds since 1970 as the server writes them.
enum Timestamp {
  /// Returns a time as text: `2026-11-23 01:02:03Z`.
  static func text(_ seconds: Int64) -> String {
    let bounded = min(max(seconds, 0), 253_402_300_799)
    let (days, second) = (bounded / 86_400, bounded % 86_400)
    let (year, month, day) = civil(days)
    return "\(year)-\(two(month))-\(two(day)) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// The day of the proleptic Gregorian calendar, from the days since 1970 (Hinnant's algorithm).
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let ofEra = shifted % 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let index = (5 * ofYear + 2) / 153
    let month = index < 10 ? index + 3 : index - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * index + 2) / 5 + 1)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
