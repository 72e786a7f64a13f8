import Pattern

/// Parses the text of a predicate by recursive descent over its words.
///
/// Every production takes predicates and values alike, since a bracket may open either. The kind is checked when the
/// context is known, so nothing is parsed twice.
struct PredicateParser {
  /// The longest text, in bytes.
  static let maximumLength = 16 << 10
  /// The deepest nesting of brackets, NOT, lists and SUBQUERY.
  static let maximumDepth = 64

  private let tokens: [PredicateToken]
  private var position = 0
  private var depth = 0
  /// The variables of the SUBQUERYs around, the innermost last.
  var variables: [String] = []
  /// Keys in paths that no object of an activation rule has.
  private(set) var unknownKeys: [String] = []

  private init(_ tokens: [PredicateToken]) { self.tokens = tokens }

  static func parse(_ text: [UInt8]) throws(PredicateError) -> (root: PredicateNode, unknownKeys: [String]) {
    guard text.count <= maximumLength else {
      throw PredicateError(
        "The predicate has \(text.count) bytes; at most \(maximumLength) are read.", at: 0,
        recovery: "Write a shorter predicate.")
    }
    var parser = PredicateParser(try PredicateLexer.tokens(of: text))
    let root = try parser.predicate()
    guard parser.current.kind == .end else { throw parser.unexpected("the end") }
    return (root, parser.unknownKeys)
  }

  // MARK: Words

  var current: PredicateToken { tokens[position] }
  var lastEnd: Int { position == 0 ? 0 : tokens[position - 1].range.upperBound }

  @discardableResult
  mutating func advance() -> PredicateToken {
    defer { if position + 1 < tokens.count { position += 1 } }
    return tokens[position]
  }

  mutating func take(_ symbols: String...) -> Bool {
    guard symbols.contains(where: current.isSymbol) else { return false }
    advance()
    return true
  }

  mutating func take(keyword: String) -> Bool {
    guard current.keyword == keyword else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(PredicateError) {
    guard take(symbol) else { throw unexpected("“\(symbol)”") }
  }

  func unexpected(_ wanted: String) -> PredicateError {
    let found: String
    switch current.kind {
    case .end: found = "The predicate ends where \(wanted) is missing."
    case .word(let text, _), .symbol(let text): found = "“\(text)” is in the place of \(wanted)."
    case .variable(let name): found = "“$\(name)” is in the place of \(wanted)."
    case .operation(let name): found = "“@\(name)” is in the place of \(wanted)."
    case .string(let text): found = "The string “\(text.prefix(40))” is in the place of \(wanted)."
    case .number(let number):
      found = "The number \(PredicateValue.number(number).shown) is in the place of \(wanted)."
    }
    return PredicateError(found, at: current.range.lowerBound)
  }

  mutating func nested<Value>(
    _ body: (inout PredicateParser) throws(PredicateError) -> Value
  ) throws(PredicateError) -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw PredicateError(
        "The predicate is nested more than \(Self.maximumDepth) deep.", at: current.range.lowerBound,
        recovery: "Write it with fewer brackets.")
    }
    return try body(&self)
  }

  mutating func noteUnknown(_ key: String) { if !unknownKeys.contains(key) { unknownKeys.append(key) } }

  // MARK: Predicates

  /// Parses a predicate.
  mutating func predicate() throws(PredicateError) -> PredicateNode {
    let node = try disjunction()
    return try checked(node, isPredicate: true)
  }

  /// Parses a value.
  mutating func value() throws(PredicateError) -> PredicateNode { try checked(try operand(), isPredicate: false) }

  func checked(_ node: PredicateNode, isPredicate: Bool) throws(PredicateError) -> PredicateNode {
    guard node.isPredicate != isPredicate else { return node }
    if isPredicate {
      throw PredicateError(
        "There is a value where a predicate is missing.", at: node.range.lowerBound,
        recovery: "Compare it with something, for example == 1.")
    }
    throw PredicateError("There is a predicate where a value is missing.", at: node.range.lowerBound)
  }

  mutating func disjunction() throws(PredicateError) -> PredicateNode {
    let start = current.range.lowerBound
    var parts = [try conjunction()]
    while take("||") || take(keyword: "OR") {
      _ = try checked(parts[0], isPredicate: true)
      parts.append(try checked(try conjunction(), isPredicate: true))
    }
    return parts.count == 1 ? parts[0] : .or(parts, start..<lastEnd)
  }

  private mutating func conjunction() throws(PredicateError) -> PredicateNode {
    let start = current.range.lowerBound
    var parts = [try negation()]
    while take("&&") || take(keyword: "AND") {
      _ = try checked(parts[0], isPredicate: true)
      parts.append(try checked(try negation(), isPredicate: true))
    }
    return parts.count == 1 ? parts[0] : .and(parts, start..<lastEnd)
  }

  private mutating func negation() throws(PredicateError) -> PredicateNode {
    let start = current.range.lowerBound
    guard take("!") || take(keyword: "NOT") else { return try comparison() }
    let inner = try nested { parser throws(PredicateError) in try parser.negation() }
    return .not(try checked(inner, isPredicate: true), start..<lastEnd)
  }

  /// A comparison, or what takes its place: a constant, or something in brackets.
  private mutating func comparison() throws(PredicateError) -> PredicateNode {
    let start = current.range.lowerBound
    if take(keyword: "TRUEPREDICATE") { return .constant(true, start..<lastEnd) }
    if take(keyword: "FALSEPREDICATE") { return .constant(false, start..<lastEnd) }
    let quantifier = takeQuantifier()
    let left = try operand()
    guard let operation = takeOperation() else {
      if quantifier != nil { throw unexpected("a comparison") }
      return left
    }
    _ = try checked(left, isPredicate: false)
    let options = try takeOptions(for: operation)
    let right = try value()
    try check(right, for: operation)
    let pattern = try pattern(of: right, for: operation, options)
    return .comparison(
      PredicateNode.Comparison(
        quantifier: quantifier, left: left, operation: operation, options: options, right: right, pattern: pattern),
      start..<lastEnd)
  }

  private func check(_ right: PredicateNode, for operation: PredicateNode.Operation) throws(PredicateError) {
    guard operation == .between, case .list(let parts, _) = right, parts.count != 2 else { return }
    throw PredicateError(
      "BETWEEN takes two values, not \(parts.count).", at: right.range.lowerBound,
      recovery: "Write the least and the greatest: BETWEEN {1, 5}.")
  }

  /// Patterns that are literals are understood once, and refused here.
  private func pattern(
    of right: PredicateNode, for operation: PredicateNode.Operation, _ options: PredicateNode.Options
  ) throws(PredicateError) -> RegularPattern? {
    guard operation == .matches, case .literal(.string(let text), let range) = right else { return nil }
    do throws(PatternFailure) {
      return try StringComparison.pattern(text, options)
    } catch {
      throw PredicateError(
        "The pattern of MATCHES cannot be used: \(error.words)", at: range.lowerBound,
        recovery: "Use characters, “.”, classes, groups, “|”, “*”, “+”, “?” and {n,m}.")
    }
  }
}
