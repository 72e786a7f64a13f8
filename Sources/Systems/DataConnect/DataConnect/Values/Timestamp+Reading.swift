extension Timestamp {
  /// `nil` when the text is no point in time.
  static func read(_ bytes: [UInt8]) -> Timestamp? {
    guard (20...40).contains(bytes.count), bytes[10] == 0x54 || bytes[10] == 0x74, bytes[13] == 0x3A, bytes[16] == 0x3A,
      let date = try? LocalDate(localDateString: String(decoding: bytes[0..<10], as: UTF8.self)),
      let hour = DigitReader.number(bytes[11..<13]), hour < 24,
      let minute = DigitReader.number(bytes[14..<16]), minute < 60,
      let second = DigitReader.number(bytes[17..<19]), second < 60
    else { return nil }
    var rest = bytes[19...]
    var nanoseconds = 0
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count), let number = DigitReader.number(digits) else { return nil }
      nanoseconds = (digits.count..<9).reduce(number) { value, _ in value * 10 }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(Array(rest)) else { return nil }
    let clock = Int64(hour * 3600 + minute * 60 + second - offset)
    let seconds = Int64(days(date.year, date.month, date.day)) * 86_400 + clock
    return range.contains(seconds) ? Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)) : nil
  }

  /// In seconds, of `Z` or `+01:00`.
  private static func offset(_ bytes: [UInt8]) -> Int? {
    if bytes == [0x5A] || bytes == [0x7A] { return 0 }
    guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A,
      let hours = DigitReader.number(bytes[1..<3]), hours < 24,
      let minutes = DigitReader.number(bytes[4..<6]), minutes < 60
    else { return nil }
    return (bytes[0] == 0x2B ? 1 : -1) * (hours * 3600 + minutes * 60)
  }

  /// The days since 1970-01-01, of years from 1.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day of the calendar, of days that `days` has given.
  static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (number <= 2 ? 1 : 0), number, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
