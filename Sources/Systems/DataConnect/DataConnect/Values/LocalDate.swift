import Time

/// A day of the Gregorian calendar, without a time and a time zone.
public struct LocalDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  let civil: CivilDay

  /// From 1 to 9999.
  public var year: Int { civil.year }
  /// From 1 to 12.
  public var month: Int { civil.month }
  /// From 1 to 31.
  public var day: Int { civil.day }

  /// A day.
  ///
  /// - Throws: `DataConnectCodecError` when the calendar has no such day.
  public init(year: Int, month: Int, day: Int) throws {
    guard year >= 1, let civil = CivilDay(year: year, month: month, day: day) else {
      throw DataConnectCodecError(
        .invalidLocalDateFormat, "There is no day \(day) in month \(month) of the year \(year).")
    }
    self.civil = civil
  }

  /// Parses a day such as `2026-01-31`, with ASCII digits; a time after it is ignored.
  ///
  /// - Throws: `DataConnectCodecError` for a text of another form.
  public init(localDateString text: String) throws {
    var scanner = TimeScanner(text)
    guard let year = scanner.number(4, in: 0...9_999), scanner.take("-"), let month = scanner.number(2, in: 0...99),
      scanner.take("-"), let day = scanner.number(2, in: 0...99), scanner.isAtEnd || scanner.take("T")
    else {
      throw DataConnectCodecError(.invalidLocalDateFormat, "\(text.shown) is not a day: write it as 2026-01-31.")
    }
    try self.init(year: year, month: month, day: day)
  }

  /// The day as `2026-01-31`, in every locale.
  public var description: String { civil.description }

  /// Whether one day is before another.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension LocalDate: Codable {
  /// Reads it as `2026-01-31`.
  public init(from decoder: any Decoder) throws {
    try self.init(localDateString: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes it as `2026-01-31`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
