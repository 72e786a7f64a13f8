public import FoundationEssentials
import Time

extension Timestamp {
  /// The point in time that a date is, to the nanosecond as far as the date has it.
  public init(date: Date) {
    let whole = date.timeIntervalSince1970.rounded(.down)
    guard whole.isFinite, abs(whole) < 1e15 else {
      self.init(seconds: whole > 0 ? Self.range.upperBound : Self.range.lowerBound)
      return
    }
    let part = (date.timeIntervalSince1970 - whole) * 1_000_000_000
    self.init(seconds: Int64(whole), nanoseconds: Int32(min(max(part.rounded(), 0), 999_999_999)))
  }

  /// Now.
  public init() { self.init(date: Date()) }

  /// The point in time as a date, which keeps about a tenth of a microsecond.
  public func dateValue() -> Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }
}

extension LocalDate {
  /// The day of the Gregorian calendar that a date is in a time zone, from the year 1 to 9999.
  public init(date: Date, timeZone: TimeZone = .current) {
    let time = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    let days = (time / 86_400).rounded(.down)
    let bounded = days.isFinite ? Int(min(max(days, -719_162), 2_932_896)) : 0
    civil = CivilDay(daysSince1970: bounded)
  }

  /// The beginning of the day in a time zone.
  public func dateValue(timeZone: TimeZone = .current) -> Date {
    let start = Date(timeIntervalSince1970: Double(civil.daysSince1970) * 86_400)
    let first = start.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: start)))
    // Near a change of the clock the offset of midnight is another one.
    return start.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: first)))
  }
}
