/// A part of a predicate with its range in bytes: a predicate, or a value that is compared.
///
/// Both kinds are one type, since a bracket may open either; the parser checks which of them is allowed at a place.
indirect enum PredicateNode: Sendable {
  // Predicates
  case constant(Bool, Range<Int>)
  case and([PredicateNode], Range<Int>)
  case or([PredicateNode], Range<Int>)
  case not(PredicateNode, Range<Int>)
  case comparison(Comparison, Range<Int>)

  // Values
  case literal(PredicateValue, Range<Int>)
  case list([PredicateNode], Range<Int>)
  case path(base: Base, [Step], Range<Int>)

  /// Where a key path begins.
  indirect enum Base: Sendable {
    /// The object that is evaluated (`SELF`, or a path that begins with a key).
    case object
    case variable(String)
    case subquery(Subquery)
    /// A value in brackets.
    case value(PredicateNode)
  }

  enum Step: Sendable {
    case key(String)
    /// The number of elements: `.@count` or `[SIZE]`.
    case count
    case first
    case last
    case index(Int)
  }

  /// A subquery: `SUBQUERY(collection, $variable, predicate)`.
  struct Subquery: Sendable {
    let collection: PredicateNode
    let variable: String
    let predicate: PredicateNode
  }

  struct Comparison: Sendable {
    enum Quantifier: String, Sendable {
      case any = "ANY"
      case all = "ALL"
      case none = "NONE"
    }

    let quantifier: Quantifier?
    let left: PredicateNode
    let operation: Operation
    let options: Options
    let right: PredicateNode
    /// The right side of a MATCHES with a constant pattern, understood.
    let pattern: RegularPattern?
  }

  enum Operation: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case typeConforms = "UTI-CONFORMS-TO"
    case typeEquals = "UTI-EQUALS"
  }

  /// How strings are compared.
  struct Options: OptionSet, Sendable, Hashable {
    let rawValue: Int
    static let caseInsensitive = Options(rawValue: 1)
    static let diacriticInsensitive = Options(rawValue: 2)
    /// The strings are taken as they are, byte by byte; the other two have no effect then.
    static let normalized = Options(rawValue: 4)
  }

  var range: Range<Int> {
    switch self {
    case .constant(_, let range), .and(_, let range), .or(_, let range), .not(_, let range),
      .comparison(_, let range), .literal(_, let range), .list(_, let range), .path(_, _, let range):
      range
    }
  }

  /// Whether this is a predicate proper, not a value.
  var isPredicate: Bool {
    switch self {
    case .constant, .and, .or, .not, .comparison: true
    case .literal, .list, .path: false
    }
  }

  /// The same part over more of the text: with its brackets.
  func over(_ range: Range<Int>) -> PredicateNode {
    switch self {
    case .constant(let value, _): .constant(value, range)
    case .and(let parts, _): .and(parts, range)
    case .or(let parts, _): .or(parts, range)
    case .not(let part, _): .not(part, range)
    case .comparison(let comparison, _): .comparison(comparison, range)
    case .literal(let value, _): .literal(value, range)
    case .list(let parts, _): .list(parts, range)
    case .path(let base, let steps, _): .path(base: base, steps, range)
    }
  }
}
