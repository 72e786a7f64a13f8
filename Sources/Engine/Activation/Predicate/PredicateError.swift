import Pattern

/// Why a predicate cannot be understood, and where.
package struct PredicateError: Error, Sendable, Hashable {
  /// What is wrong, one sentence without its place.
  package let message: String
  /// What the author can do about it, one sentence.
  package let recovery: String
  /// The place in the predicate's text, in bytes from its beginning.
  package let offset: Int
  /// The line in the predicate's text, from 1.
  package private(set) var line = 1
  /// The column in that line, in characters from 1.
  package private(set) var column = 1

  init(
    _ message: String, at offset: Int,
    recovery: String = "Compare key paths with values, and join comparisons with AND, OR and NOT."
  ) {
    self.message = message
    self.offset = offset
    self.recovery = recovery
  }

  /// The error with its line and column.
  func located(in text: [UInt8]) -> PredicateError {
    var error = self
    (error.line, error.column) = PredicatePlace.of(offset, in: text)
    return error
  }
}

/// Lines and columns of a text.
enum PredicatePlace {
  static func of(_ offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    let before = text.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return (line, String(decoding: before[lineStart...], as: UTF8.self).count + 1)
  }
}

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
