/// A point in time, to the nanosecond.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// From 0 to 999 999 999, towards the future.
  public let nanoseconds: Int32

  /// The seconds that can be written: of the years 1 to 9999.
  static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// A point in time; what is outside of the years 1 to 9999 or of a second is brought to the nearest inside.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// A point in time as in RFC 3339: `2026-01-31T12:00:00.5Z`, `2026-01-31T12:00:00+01:00`.
  ///
  /// - Throws: `DataConnectCodecError` when it is none.
  public init(_ text: String) throws {
    guard let time = Self.read(Array(text.utf8)) else {
      throw DataConnectCodecError(
        .invalidTimestampFormat, "\(text.shown) is no point in time: write it as 2026-01-31T12:00:00Z.")
    }
    self = time
  }

  /// As in RFC 3339, in UTC, with 0, 3, 6 or 9 digits behind the point.
  public var description: String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = Int(seconds - days * 86_400)
    let (year, month, day) = Self.civil(Int(days))
    let date = "\(DigitReader.text(year, 4))-\(DigitReader.text(month, 2))-\(DigitReader.text(day, 2))"
    let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { DigitReader.text($0, 2) }.joined(separator: ":")
    return "\(date)T\(clock)\(fraction)Z"
  }

  private var fraction: String {
    if nanoseconds == 0 { return "" }
    var digits = DigitReader.text(Int(nanoseconds), 9)
    while digits.hasSuffix("000") { digits.removeLast(3) }
    return ".\(digits)"
  }

  /// Whether one is before another.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Timestamp: Codable {
  /// Reads it as in RFC 3339.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes it as in RFC 3339.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
