import Pattern
import Text

/// A function of the language.
enum CELFunction: String, Sendable, CaseIterable {
  case size, contains, startsWith, endsWith, matches
  case bool, bytes, double, duration, dyn, int, string, timestamp, type, uint
  case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
  case getHours, getMinutes, getSeconds, getMilliseconds
  case uuidV4

  /// - Parameters:
  ///   - count: the number of operands, including the receiver of a member call.
  ///   - isMember: whether the function is called on a value.
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

  /// The form of a call, for messages.
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

extension PatternFailure {
  /// The failure as errors of the language say it.
  var message: String { "The pattern is not understood: \(words)." }

  private var words: String {
    switch self {
    case .tooLarge: "it is too large"
    case .tooDeep: "it has too many levels"
    case .unopenedGroup: "a ) closes nothing"
    case .unclosedGroup: "a ( is not closed"
    case .unknownGroup: "(? is known as (?: and, at the start, as (?i) alone"
    case .unclosedClass: "a [ is not closed"
    case .nestedClass: "classes such as [:alpha:] are not known"
    case .nothingToRepeat: "a repetition follows nothing"
    case .repeatedTwice: "one repetition follows another"
    case .noCount, .invalidBounds: "a repetition has its bounds the wrong way round"
    case .invalidRange: "a range in [] has its bounds the wrong way round"
    case .unfinishedEscape: "it ends with a backslash"
    case .unknownEscape(let letter), .negatedClass(let letter), .misplaced(let letter):
      "there is no \\\(String(Character(letter)).shownInMessage())"
    }
  }
}
