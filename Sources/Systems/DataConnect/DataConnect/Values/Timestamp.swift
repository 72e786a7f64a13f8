import Time

/// A point in time, to the nanosecond.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// From 0 to 999 999 999, towards the future.
  public let nanoseconds: Int32

  /// The seconds that can be written: of the years 1 to 9999.
  static let range = UnixTime.writable

  /// A point in time; what is outside of the years 1 to 9999 or of a second is brought to the nearest inside.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// Parses a point in time in RFC 3339: `2026-01-31T12:00:00.5Z`, `2026-01-31T12:00:00+01:00`.
  ///
  /// - Throws: `DataConnectCodecError` for a text of another form.
  public init(_ text: String) throws {
    guard let time = ZonedTime(text)?.unix, Self.range.contains(time.seconds) else {
      throw DataConnectCodecError(
        .invalidTimestampFormat, "\(text.shown) is not a point in time: write it as 2026-01-31T12:00:00Z.")
    }
    self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  /// The time in RFC 3339, in UTC, with 0, 3, 6 or 9 digits after the decimal point.
  public var description: String { UnixTime(seconds: seconds, nanoseconds: nanoseconds).text(.thousandths) }

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
