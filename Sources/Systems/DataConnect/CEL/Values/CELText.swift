import Time

/// Values as texts: what `string(…)` gives.
enum CELText {
  /// `nil` where a value has no text.
  static func of(_ value: CELValue) -> String? {
    switch value {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): double(value)
    case .string(let value), .type(let value): value
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
    case .timestamp(let seconds, let nanoseconds): UnixTime(seconds: seconds, nanoseconds: nanoseconds).text(.shortest)
    case .duration(let seconds, let nanoseconds):
      "\(seconds == 0 && nanoseconds < 0 ? "-" : "")\(seconds)\(fraction(nanoseconds))s"
    case .null, .list, .map: nil
    }
  }

  static func double(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    if abs(value) < 1e16, let whole = Int64(exactly: value) { return String(whole) }
    return value.description
  }

  /// `.5`, or nothing for zero.
  static func fraction(_ nanoseconds: Int32) -> String {
    if nanoseconds == 0 { return "" }
    let digits = String(nanoseconds.magnitude)
    var text = String(repeating: "0", count: 9 - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    return "." + text
  }
}
