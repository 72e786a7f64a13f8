/// A word of a predicate, with its range in bytes.
struct PredicateToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A word of letters, digits and underscores; whether it was escaped with `#`, so that it is no keyword.
    case word(String, isEscaped: Bool)
    /// A variable: `$name`.
    case variable(String)
    /// An operation: `@name`.
    case operation(String)
    /// A quoted string, without its quotes and escapes.
    case string(String)
    case number(Double)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>

  /// The keyword, in capitals, when the token can be one.
  var keyword: String? {
    if case .word(let text, isEscaped: false) = kind { text.uppercased() } else { nil }
  }

  func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }
}
