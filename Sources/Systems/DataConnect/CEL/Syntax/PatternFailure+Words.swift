import Pattern
import Text

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
