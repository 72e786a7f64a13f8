/// A function of the language.
enum CELFunction: String, Sendable, CaseIterable {
  case size, contains, startsWith, endsWith, matches
  case bool, bytes, double, duration, dyn, int, string, timestamp, type, uint
  case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
  case getHours, getMinutes, getSeconds, getMilliseconds
  case uuidV4

  /// - Parameters:
  ///   - count: of operands, with the value that it is asked of.
  ///   - isMember: whether it is asked of a value.
  func takes(_ count: Int, isMember: Bool) -> Bool {
    switch self {
    case .size: count == 1
    case .matches: count == 2
    case .contains, .startsWith, .endsWith: count == 2 && isMember
    case .bool, .bytes, .double, .duration, .dyn, .int, .string, .timestamp, .type, .uint: count == 1 && !isMember
    case .getFullYear, .getMonth, .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getHours, .getMinutes,
      .getSeconds, .getMilliseconds:
      count == 1 && isMember
    case .uuidV4: count == 0
    }
  }

  /// How it is written.
  var form: String {
    switch self {
    case .size: "x.size()"
    case .matches: "text.matches('a+')"
    case .contains, .startsWith, .endsWith: "text.\(rawValue)('a')"
    case .uuidV4: "uuidV4()"
    default: takes(1, isMember: true) ? "time.\(rawValue)()" : "\(rawValue)(x)"
    }
  }
}
