/// Words between values: quantifiers, operators and their options.
extension PredicateParser {
  mutating func takeQuantifier() -> PredicateNode.Comparison.Quantifier? {
    let found: PredicateNode.Comparison.Quantifier
    switch current.keyword {
    case "ANY", "SOME": found = .any
    case "ALL": found = .all
    case "NONE": found = .none
    default: return nil
    }
    advance()
    return found
  }

  mutating func takeOperation() -> PredicateNode.Operation? {
    let found: PredicateNode.Operation?
    switch current.kind {
    case .symbol(let text):
      switch text {
      case "=", "==": found = .equal
      case "!=", "<>": found = .notEqual
      case "<": found = .less
      case "<=", "=<": found = .lessOrEqual
      case ">": found = .greater
      case ">=", "=>": found = .greaterOrEqual
      default: found = nil
      }
    case .word(let text, isEscaped: false):
      let word = text.uppercased()
      let words: [PredicateNode.Operation] = [
        .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches, .typeConforms, .typeEquals,
      ]
      found = words.first { $0.rawValue == word }
    default: found = nil
    }
    if found != nil { advance() }
    return found
  }

  /// `[c]`, `[d]`, `[n]` and their combinations.
  mutating func takeOptions(for operation: PredicateNode.Operation) throws(PredicateError) -> PredicateNode.Options {
    guard current.isSymbol("[") else { return [] }
    let start = current.range.lowerBound
    advance()
    var options: PredicateNode.Options = []
    guard case .word(let letters, _) = current.kind else { throw unexpected("c, d or n") }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      default:
        throw PredicateError(
          "“\(letter)” is not an option of a comparison.", at: current.range.lowerBound, recovery: "Use c, d and n.")
      }
    }
    advance()
    try expect("]")
    switch operation {
    case .between, .typeConforms, .typeEquals:
      throw PredicateError("\(operation.rawValue) takes no options.", at: start, recovery: "Leave the brackets out.")
    default: return options
    }
  }
}
