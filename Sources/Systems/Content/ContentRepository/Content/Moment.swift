/// A date, a time of day, or both (ISO 8601), as a number that can be compared.
struct Moment: Sendable, Hashable, Comparable {
  /// Since the beginning of 1970, or of the day, in UTC; a time without zone is taken for one of UTC.
  let milliseconds: Int64

  enum Form: Sendable { case date, time, dateTime }

  static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }

  /// - Returns: `nil` for what is none.
  init?(_ text: String, _ form: Form) {
    guard text.utf8.count <= 40 else { return nil }
    var scanner = Scanner(rest: Array(text.utf8)[...])
    var milliseconds: Int64 = 0
    if form != .time {
      guard let days = scanner.date() else { return nil }
      milliseconds = days * 86_400_000
    }
    if form == .dateTime {
      guard scanner.take(0x54) || scanner.take(0x74) || scanner.take(0x20) else { return nil }
    }
    if form != .date {
      guard let time = scanner.time(), let offset = scanner.zone() else { return nil }
      milliseconds += time - offset
    }
    guard scanner.rest.isEmpty else { return nil }
    self.milliseconds = milliseconds
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ digits: Int, in range: ClosedRange<Int64>) -> Int64? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
      rest = rest.dropFirst(digits)
      let value = part.reduce(into: Int64(0)) { $0 = $0 * 10 + Int64($1 - 0x30) }
      return range.contains(value) ? value : nil
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    mutating func date() -> Int64? {
      guard let year = number(4, in: 0...9999), take(0x2D), let month = number(2, in: 1...12), take(0x2D),
        let day = number(2, in: 1...31)
      else { return nil }
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      guard day <= lengths[Int(month) - 1] else { return nil }
      // Years that begin in March, so that the day of a leap year is the last one.
      let shifted = month <= 2 ? year - 1 : year
      let era = (shifted >= 0 ? shifted : shifted - 399) / 400
      let yearOfEra = shifted - era * 400
      let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Milliseconds of a day.
    mutating func time() -> Int64? {
      guard let hour = number(2, in: 0...23), take(0x3A), let minute = number(2, in: 0...59) else { return nil }
      var time = (hour * 60 + minute) * 60_000
      guard take(0x3A) else { return time }
      guard let second = number(2, in: 0...59) else { return nil }
      time += second * 1_000
      guard take(0x2E) else { return time }
      let fraction = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard (1...9).contains(fraction.count) else { return nil }
      rest = rest.dropFirst(fraction.count)
      var unit: Int64 = 100
      for digit in fraction {
        time += Int64(digit - 0x30) * unit
        unit /= 10
      }
      return time
    }

    /// Milliseconds that a zone is before UTC; 0 without a zone.
    mutating func zone() -> Int64? {
      if rest.isEmpty || take(0x5A) || take(0x7A) { return 0 }
      let sign: Int64 = rest.first == 0x2D ? -1 : 1
      guard take(0x2B) || take(0x2D), let hours = number(2, in: 0...18) else { return nil }
      if rest.isEmpty { return sign * hours * 3_600_000 }
      _ = take(0x3A)
      guard let minutes = number(2, in: 0...59) else { return nil }
      return sign * (hours * 60 + minutes) * 60_000
    }
  }
}
