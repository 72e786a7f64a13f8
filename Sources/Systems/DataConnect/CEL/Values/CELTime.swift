/// A time of the civil calendar in UTC, by Howard Hinnant's `chrono` algorithms.
struct CELTime {
  /// 0001-01-01T00:00:00Z.
  static let earliest: Int64 = -62_135_596_800
  /// 9999-12-31T23:59:59Z.
  static let latest: Int64 = 253_402_300_799

  let year: Int64
  /// From 1.
  let month: Int64
  /// From 1.
  let day: Int64
  let secondOfDay: Int64
  /// Days since 1970.
  let days: Int64

  /// - Parameter seconds: since 1970.
  init(seconds: Int64) {
    days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    secondOfDay = seconds - days * 86_400
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// RFC 3339 with as many digits of a second as there are.
  func text(_ nanoseconds: Int32) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = String(year)
    let date = "\(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)-\(two(month))-\(two(day))"
    let time = "\(two(secondOfDay / 3_600)):\(two(secondOfDay / 60 % 60)):\(two(secondOfDay % 60))"
    return "\(date)T\(time)\(CELText.fraction(nanoseconds))Z"
  }
}
