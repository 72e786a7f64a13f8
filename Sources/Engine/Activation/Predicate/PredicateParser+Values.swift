/// Values: literals, lists, key paths, variables and SUBQUERY.
extension PredicateParser {
  /// The keys of the objects that an activation rule is compared with (App Extension Programming Guide).
  private static let keys: Set<String> = [
    "extensionItems", "attachments", "registeredTypeIdentifiers", "attributedTitle", "attributedContentText",
    "userInfo",
  ]

  private static let operators: Set<String> = [
    "AND", "OR", "NOT", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "UTI-CONFORMS-TO",
    "UTI-EQUALS", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// A value with the path behind it, or something in brackets that may be a predicate.
  mutating func operand() throws(PredicateError) -> PredicateNode {
    let start = current.range.lowerBound
    let head = try primary()
    guard current.isSymbol(".") || current.isSymbol("[") else { return head }
    if head.isPredicate { throw unexpected("a comparison") }
    var base = PredicateNode.Base.value(head)
    var steps: [PredicateNode.Step] = []
    if case .path(let inner, let innerSteps, _) = head { (base, steps) = (inner, innerSteps) }
    try takeSteps(&steps)
    return .path(base: base, steps, start..<lastEnd)
  }

  private mutating func primary() throws(PredicateError) -> PredicateNode {
    let token = current
    switch token.kind {
    case .string(let text):
      advance()
      return .literal(.string(text), token.range)
    case .number(let number):
      advance()
      return .literal(.number(number), token.range)
    case .variable(let name):
      guard variables.contains(name) else {
        throw PredicateError(
          "The variable “$\(name)” is not known here.", at: token.range.lowerBound,
          recovery: "Name it in a SUBQUERY around this place.")
      }
      advance()
      return .path(base: .variable(name), [], token.range)
    case .symbol("-"): return try negative()
    case .symbol("("): return try bracketed()
    case .symbol("{"): return try list()
    case .word(let text, let isEscaped): return try word(text, isEscaped: isEscaped)
    case .operation, .symbol, .end: throw unexpected("a value")
    }
  }

  private mutating func negative() throws(PredicateError) -> PredicateNode {
    let start = advance().range.lowerBound
    guard case .number(let number) = current.kind else { throw unexpected("a number") }
    advance()
    return .literal(.number(-number), start..<lastEnd)
  }

  private mutating func bracketed() throws(PredicateError) -> PredicateNode {
    let start = advance().range.lowerBound
    let inner = try nested { parser throws(PredicateError) in try parser.disjunction() }
    try expect(")")
    return inner.over(start..<lastEnd)
  }

  private mutating func list() throws(PredicateError) -> PredicateNode {
    let start = advance().range.lowerBound
    var parts: [PredicateNode] = []
    while !current.isSymbol("}") {
      if !parts.isEmpty { try expect(",") }
      parts.append(try nested { parser throws(PredicateError) in try parser.value() })
    }
    try expect("}")
    return .list(parts, start..<lastEnd)
  }

  private mutating func word(_ text: String, isEscaped: Bool) throws(PredicateError) -> PredicateNode {
    let range = current.range
    if !isEscaped {
      switch text.uppercased() {
      case "TRUE", "YES": return literal(.bool(true))
      case "FALSE", "NO": return literal(.bool(false))
      case "NIL", "NULL": return literal(.null)
      case "SELF":
        advance()
        return .path(base: .object, [], range)
      case "SUBQUERY": return try subquery()
      case let word where Self.operators.contains(word): throw unexpected("a value")
      default: break
      }
    }
    advance()
    if current.isSymbol("(") {
      throw PredicateError(
        "The function \(text) cannot be used in an activation rule.", at: range.lowerBound,
        recovery: "Use SUBQUERY, @count and comparisons.")
    }
    note(text, after: [])
    return .path(base: .object, [.key(text)], range)
  }

  private mutating func literal(_ value: PredicateValue) -> PredicateNode {
    .literal(value, advance().range)
  }

  private mutating func subquery() throws(PredicateError) -> PredicateNode {
    let start = advance().range.lowerBound
    try expect("(")
    let collection = try nested { parser throws(PredicateError) in try parser.value() }
    try expect(",")
    guard case .variable(let name) = current.kind else { throw unexpected("a variable such as $item") }
    advance()
    try expect(",")
    variables.append(name)
    let inner = try nested { parser throws(PredicateError) in try parser.predicate() }
    variables.removeLast()
    try expect(")")
    let subquery = PredicateNode.Subquery(collection: collection, variable: name, predicate: inner)
    return .path(base: .subquery(subquery), [], start..<lastEnd)
  }

  // MARK: Paths

  private mutating func takeSteps(_ steps: inout [PredicateNode.Step]) throws(PredicateError) {
    while true {
      if take(".") {
        steps.append(try step(after: steps))
      } else if take("[") {
        steps.append(try index())
        try expect("]")
      } else {
        return
      }
    }
  }

  private mutating func step(after steps: [PredicateNode.Step]) throws(PredicateError) -> PredicateNode.Step {
    switch current.kind {
    case .word(let text, _):
      advance()
      note(text, after: steps)
      return .key(text)
    case .operation(let name):
      guard name == "count" else {
        throw PredicateError(
          "“@\(name)” cannot be used in an activation rule.", at: current.range.lowerBound, recovery: "Use @count.")
      }
      advance()
      return .count
    default: throw unexpected("a key")
    }
  }

  private mutating func index() throws(PredicateError) -> PredicateNode.Step {
    let found: PredicateNode.Step
    switch (current.keyword, current.kind) {
    case ("FIRST", _): found = .first
    case ("LAST", _): found = .last
    case ("SIZE", _): found = .count
    case (_, .number(let number)):
      guard let index = Int(exactly: number), index >= 0 else { throw unexpected("a whole number") }
      found = .index(index)
    default: throw unexpected("FIRST, LAST, SIZE or a number")
    }
    advance()
    return found
  }

  /// Below `userInfo` any key may stand.
  private mutating func note(_ key: String, after steps: [PredicateNode.Step]) {
    let isBelowUserInfo = steps.contains { if case .key("userInfo") = $0 { true } else { false } }
    if !isBelowUserInfo, !Self.keys.contains(key) { noteUnknown(key) }
  }
}
