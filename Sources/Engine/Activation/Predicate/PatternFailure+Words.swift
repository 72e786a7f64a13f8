import Pattern

extension PatternFailure {
  /// The failure as messages about MATCHES say it.
  var words: String {
    switch self {
    case .tooLarge: "the pattern is too large."
    case .tooDeep: "it is nested too deep."
    case .unopenedGroup: "a bracket closes that did not open."
    case .unclosedGroup: "a bracket is not closed."
    case .unknownGroup: "looking around and named groups are not supported."
    case .unclosedClass: "“[” is not closed."
    case .nestedClass: "“[” inside “[…]” needs a backslash."
    case .invalidRange: "a range in “[…]” has no beginning or end."
    case .negatedClass: "the opposite of a class inside “[…]” is not supported."
    case .nothingToRepeat(let sign): "“\(sign)” has nothing to repeat."
    case .repeatedTwice("+"): "possessive quantifiers are not supported."
    case .repeatedTwice(let sign): "“\(sign)” follows another quantifier."
    case .noCount: "“{” takes a number of repetitions."
    case .invalidBounds: "“{n,m}” takes numbers up to 1000, the smaller one first."
    case .unfinishedEscape: "it ends with a backslash."
    case .unknownEscape(let letter): "“\\\(letter)” is not supported."
    case .misplaced(let sign): "“\(sign)” needs a backslash."
    }
  }
}
