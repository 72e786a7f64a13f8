/// A day of the Gregorian calendar, without a time and a time zone.
public struct LocalDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// From 1 to 9999.
  public let year: Int
  /// From 1 to 12.
  public let month: Int
  /// From 1 to 31.
  public let day: Int

  /// A day.
  ///
  /// - Throws: `DataConnectCodecError` when the calendar has no such day.
  public init(year: Int, month: Int, day: Int) throws {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else {
      throw DataConnectCodecError(
        .invalidLocalDateFormat, "There is no day \(day) in month \(month) of the year \(year).")
    }
    self.year = year
    self.month = month
    self.day = day
  }

  /// A day as `2026-01-31`, with the digits 0 to 9 alone; a time behind it is dropped.
  ///
  /// - Throws: `DataConnectCodecError` when it is none.
  public init(localDateString text: String) throws {
    let bytes = Array(text.utf8)
    guard bytes.count == 10 || (bytes.count > 10 && bytes[10] == 0x54), bytes[4] == 0x2D, bytes[7] == 0x2D,
      let year = DigitReader.number(bytes[0..<4]), let month = DigitReader.number(bytes[5..<7]),
      let day = DigitReader.number(bytes[8..<10])
    else {
      throw DataConnectCodecError(.invalidLocalDateFormat, "\(text.shown) is no day: write it as 2026-01-31.")
    }
    try self.init(year: year, month: month, day: day)
  }

  /// As `2026-01-31`, whatever the language of the device.
  public var description: String {
    "\(DigitReader.text(year, 4))-\(DigitReader.text(month, 2))-\(DigitReader.text(day, 2))"
  }

  /// Whether one day is before another.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
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
