internal import Glibc

/// A point in time, to the nanosecond. Leap seconds are not counted.
package struct UnixTime: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, negative before.
  package let seconds: Int64
  /// From 0 to 999,999,999, towards the future.
  package let nanoseconds: Int32

  /// The seconds of the years 1 to 9999, which RFC 3339 can write.
  package static let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a point in time. Nanoseconds outside of a second become the nearest inside.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// The time of day that the machine has (`CLOCK_REALTIME`), which somebody can set.
  package static var now: UnixTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UnixTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// Seconds since 1970 with their fraction, to about a quarter of a microsecond.
  package var fractionalSeconds: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// Milliseconds since 1970, rounded down; the nearest that fit for times 292 million years away.
  package var milliseconds: Int64 { scaled(by: 1_000) }

  /// Nanoseconds since 1970; the nearest that fit for times 292 years away.
  package var wholeNanoseconds: Int64 { scaled(by: 1_000_000_000) }

  private func scaled(by unit: Int64) -> Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: unit)
    let (sum, isTooLarge) = whole.addingReportingOverflow(Int64(nanoseconds) / (1_000_000_000 / unit))
    return overflow || isTooLarge ? (seconds < 0 ? .min : .max) : sum
  }

  /// The same time without the nanoseconds of the last microsecond, as PostgreSQL keeps it.
  package var inMicroseconds: UnixTime { UnixTime(seconds: seconds, nanoseconds: nanoseconds / 1_000 * 1_000) }

  /// The day in UTC.
  package var day: CivilDay { CivilDay(daysSince1970: Int(seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0))) }

  /// The seconds since midnight in UTC, from 0 to 86,399.
  package var secondOfDay: Int { Int((seconds % 86_400 + 86_400) % 86_400) }

  /// Whether one time is before another.
  package static func < (left: UnixTime, right: UnixTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension UnixTime {
  /// How many digits a written second has behind its point.
  package enum Fraction: Sendable {
    /// None: the rest of the second is dropped.
    case none
    /// As many as the time needs, from 0 to 9.
    case shortest
    /// 0, 3, 6 or 9, as Protocol Buffers write times.
    case thousandths
  }

  /// Returns the time in UTC as RFC 3339 writes it: `2026-01-31T12:00:00.5Z`.
  ///
  /// - Parameters:
  ///   - fraction: the digits behind the second.
  ///   - separator: what stands between the day and the time of day.
  package func text(_ fraction: Fraction = .none, separator: Character = "T") -> String {
    let second = secondOfDay
    let clock = "\((second / 3_600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
    return "\(day)\(separator)\(clock)\(digits(fraction))Z"
  }

  /// The time in UTC for the name of a file: `20261120T221500.123456Z`. Names sort as their times do.
  package var fileStamp: String {
    let kept = text().utf8.filter { $0 != 0x2D && $0 != 0x3A && $0 != 0x5A }
    return "\(String(decoding: kept, as: UTF8.self)).\((Int(nanoseconds) / 1_000).padded(6))Z"
  }

  private func digits(_ fraction: Fraction) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = Int(nanoseconds).padded(9)
    switch fraction {
    case .none: return ""
    case .shortest: while digits.hasSuffix("0") { digits.removeLast() }
    case .thousandths: while digits.hasSuffix("000") { digits.removeLast(3) }
    }
    return ".\(digits)"
  }
}
