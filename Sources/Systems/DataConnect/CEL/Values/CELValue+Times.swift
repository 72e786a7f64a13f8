import Time

extension CELValue {
  /// A time of RFC 3339, with any number of digits behind the second, of which nine count.
  static func timestamp(_ text: String) -> CELValue? {
    var syntax = TimeSyntax()
    (syntax.years, syntax.fraction) = (0...9_999, 1...40)
    guard let time = ZonedTime(text, syntax)?.unix else { return nil }
    return timestamp(time.seconds, time.nanoseconds)
  }

  /// A duration such as `1h30m`, `-1.5s` or `10ms`.
  static func duration(_ text: String) -> CELValue? {
    var rest = text.utf8[...]
    let isNegative = rest.first == 0x2D
    if isNegative { rest.removeFirst() }
    guard !rest.isEmpty, text.utf8.count <= 64 else { return nil }
    var total: Int128 = 0
    while !rest.isEmpty {
      let number = rest.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0 >= 0x61 && $0 <= 0x7A }
      rest = rest.dropFirst(unit.count)
      let parts = number.split(separator: 0x2E, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard let scale = units[String(decoding: unit, as: UTF8.self)], (1...2).contains(parts.count),
        let whole = Int64(parts[0])
      else { return nil }
      total += Int128(whole) * scale
      if parts.count == 2 {
        guard let fraction = Int64(parts[1]), parts[1].utf8.count <= 18 else { return nil }
        var divisor: Int128 = 1
        for _ in parts[1].utf8 { divisor *= 10 }
        total += Int128(fraction) * scale / divisor
      }
    }
    return duration(nanoseconds: isNegative ? -total : total)
  }

  private static let units: [String: Int128] = [
    "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1,
  ]

  /// `nil` outside of the years 1 to 9999.
  static func timestamp(_ seconds: Int64, _ nanoseconds: Int32) -> CELValue? {
    guard UnixTime.writable.contains(seconds) else { return nil }
    return .timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// `nil` beyond ten thousand years.
  static func duration(nanoseconds: Int128) -> CELValue? {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard let seconds = Int64(exactly: seconds), abs(seconds) <= 315_576_000_000 else { return nil }
    return .duration(seconds: seconds, nanoseconds: Int32(rest))
  }

  /// A time or duration in nanoseconds.
  var nanoseconds: Int128? {
    switch self {
    case .timestamp(let seconds, let rest), .duration(let seconds, let rest):
      Int128(seconds) * 1_000_000_000 + Int128(rest)
    default: nil
    }
  }

  /// A time of this many nanoseconds since 1970.
  static func timestamp(nanoseconds: Int128) -> CELValue? {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    return Int64(exactly: seconds).flatMap { timestamp($0, Int32(rest)) }
  }
}
