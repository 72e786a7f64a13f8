import Pattern

/// Evaluates a predicate within a budget of steps.
///
/// ANY over nothing is false, ALL over nothing is true, NONE is the opposite of ANY; the count of nothing is 0; inner
/// variables hide outer ones; a path without a variable begins at the root also inside of a SUBQUERY. Values of kinds
/// that an operator does not compare make it false.
struct PredicateEvaluator {
  let root: PredicateValue
  let types: TypeGraph
  private(set) var budget = StepBudget()

  init(root: PredicateValue, types: TypeGraph) {
    self.root = root
    self.types = types
  }

  typealias Variables = [String: PredicateValue]

  mutating func holds(_ node: PredicateNode, _ variables: Variables = [:]) throws(StepBudget.Exceeded) -> Bool {
    try budget.spend()
    switch node {
    case .constant(let value, _): return value
    case .and(let parts, _):
      for part in parts where try !holds(part, variables) { return false }
      return true
    case .or(let parts, _):
      for part in parts where try holds(part, variables) { return true }
      return false
    case .not(let part, _): return try !holds(part, variables)
    case .comparison(let comparison, _): return try holds(comparison, variables)
    case .literal, .list, .path: return false
    }
  }

  private mutating func holds(
    _ comparison: PredicateNode.Comparison, _ variables: Variables
  ) throws(StepBudget.Exceeded) -> Bool {
    let left = try value(comparison.left, variables)
    let right = try value(comparison.right, variables)
    guard let quantifier = comparison.quantifier else { return try holds(comparison, left, right) }
    let wanted = quantifier != .all
    for element in Self.elements(of: left) where try holds(comparison, element, right) == wanted {
      return quantifier == .any
    }
    return quantifier != .any
  }

  /// What a quantifier looks at: the elements of an array, none for nothing, else the value itself.
  static func elements(of value: PredicateValue) -> [PredicateValue] {
    switch value {
    case .array(let elements): elements
    case .null: []
    case .bool, .number, .string, .object: [value]
    }
  }

  // MARK: Values

  mutating func value(_ node: PredicateNode, _ variables: Variables) throws(StepBudget.Exceeded) -> PredicateValue {
    try budget.spend()
    switch node {
    case .literal(let value, _): return value
    case .list(let parts, _):
      var values: [PredicateValue] = []
      for part in parts { values.append(try value(part, variables)) }
      return .array(values)
    case .path(let base, let steps, _):
      var found = try value(base, variables)
      for step in steps { found = try value(step, of: found) }
      return found
    case .constant, .and, .or, .not, .comparison: return .null
    }
  }

  private mutating func value(
    _ base: PredicateNode.Base, _ variables: Variables
  ) throws(StepBudget.Exceeded) -> PredicateValue {
    switch base {
    case .object: return root
    case .variable(let name): return variables[name] ?? .null
    case .value(let node): return try value(node, variables)
    case .subquery(let subquery):
      var kept: [PredicateValue] = []
      for element in Self.elements(of: try value(subquery.collection, variables)) {
        var inner = variables
        inner[subquery.variable] = element
        if try holds(subquery.predicate, inner) { kept.append(element) }
      }
      return .array(kept)
    }
  }

  private mutating func value(
    _ step: PredicateNode.Step, of value: PredicateValue
  ) throws(StepBudget.Exceeded) -> PredicateValue {
    let elements = Self.elements(of: value)
    try budget.spend(1 + elements.count / 16)
    switch step {
    case .key(let key): return value.value(forKey: key)
    case .count: return .number(Double(elements.count))
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case .index(let index): return elements.indices.contains(index) ? elements[index] : .null
    }
  }

  // MARK: Comparisons

  /// One comparison of two values.
  mutating func holds(
    _ comparison: PredicateNode.Comparison, _ left: PredicateValue, _ right: PredicateValue
  ) throws(StepBudget.Exceeded) -> Bool {
    try budget.spend()
    let options = comparison.options
    switch comparison.operation {
    case .equal: return try equal(left, right, options)
    case .notEqual: return try !equal(left, right, options)
    case .less: return try order(left, right, options).map { $0 < 0 } ?? false
    case .lessOrEqual: return try order(left, right, options).map { $0 <= 0 } ?? false
    case .greater: return try order(left, right, options).map { $0 > 0 } ?? false
    case .greaterOrEqual: return try order(left, right, options).map { $0 >= 0 } ?? false
    case .between:
      guard case .array(let bounds) = right, bounds.count == 2 else { return false }
      guard let low = try order(bounds[0], left, []), let high = try order(left, bounds[1], []) else { return false }
      return low <= 0 && high <= 0
    case .isIn: return try contains(right, left, options)
    case .contains: return try contains(left, right, options)
    case .typeConforms, .typeEquals:
      guard let type = left.string, let other = right.string else { return false }
      try budget.spend(4)
      return comparison.operation == .typeConforms
        ? types.conforms(type, to: other) : type.lowercased() == other.lowercased()
    case .beginsWith, .endsWith, .like, .matches: return try matches(comparison, left, right)
    }
  }

  private mutating func matches(
    _ comparison: PredicateNode.Comparison, _ left: PredicateValue, _ right: PredicateValue
  ) throws(StepBudget.Exceeded) -> Bool {
    guard let text = left.string, let other = right.string else { return false }
    try budget.spend(characters: text.utf8.count + other.utf8.count)
    let options = comparison.options
    if comparison.operation == .matches {
      guard let pattern = comparison.pattern ?? (try? StringComparison.pattern(other, options)) else { return false }
      // The pattern knows of case itself.
      let folded = StringComparison.folded(text, options.subtracting(.caseInsensitive))
      return try pattern.matches(folded) { (comparisons) throws(StepBudget.Exceeded) in
        try budget.spend(characters: comparisons)
      }
    }
    let folded = StringComparison.folded(text, options)
    let part = StringComparison.folded(other, options)
    let exactly = options.contains(.normalized)
    switch comparison.operation {
    case .beginsWith: return exactly ? folded.utf8.starts(with: part.utf8) : folded.hasPrefix(part)
    case .endsWith:
      return exactly ? folded.utf8.suffix(part.utf8.count).elementsEqual(part.utf8) : folded.hasSuffix(part)
    default: return try StringComparison.isLike(folded, part, exactly: exactly, &budget)
    }
  }

  private mutating func contains(
    _ whole: PredicateValue, _ part: PredicateValue, _ options: PredicateNode.Options
  ) throws(StepBudget.Exceeded) -> Bool {
    if case .array(let elements) = whole {
      for element in elements where try equal(element, part, options) { return true }
      return false
    }
    guard let text = whole.string, let part = part.string else { return false }
    try budget.spend(characters: text.utf8.count + part.utf8.count)
    return try StringComparison.contains(
      StringComparison.folded(text, options), StringComparison.folded(part, options), &budget)
  }

  private mutating func equal(
    _ left: PredicateValue, _ right: PredicateValue, _ options: PredicateNode.Options
  ) throws(StepBudget.Exceeded) -> Bool {
    try budget.spend()
    if let one = left.number, let other = right.number { return one == other }
    if let one = left.string, let other = right.string {
      try budget.spend(characters: one.utf8.count + other.utf8.count)
      if options.contains(.normalized) { return one.utf8.elementsEqual(other.utf8) }
      return StringComparison.folded(one, options) == StringComparison.folded(other, options)
    }
    if case .array(let one) = left, case .array(let other) = right {
      guard one.count == other.count else { return false }
      for (element, peer) in zip(one, other) where try !equal(element, peer, options) { return false }
      return true
    }
    return left == right
  }

  /// Below 0, 0 or above 0; `nil` for values that have no order.
  private mutating func order(
    _ left: PredicateValue, _ right: PredicateValue, _ options: PredicateNode.Options
  ) throws(StepBudget.Exceeded) -> Int? {
    if let one = left.number, let other = right.number { return one < other ? -1 : one > other ? 1 : 0 }
    guard let one = left.string, let other = right.string else { return nil }
    try budget.spend(characters: one.utf8.count + other.utf8.count)
    if options.contains(.normalized) {
      if one.utf8.elementsEqual(other.utf8) { return 0 }
      return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    }
    let (first, second) = (StringComparison.folded(one, options), StringComparison.folded(other, options))
    return first < second ? -1 : first > second ? 1 : 0
  }
}

/// How much work an evaluation may still do: rules come from strangers, and so do the strings that they are compared
/// with.
struct StepBudget {
  struct Exceeded: Error {}

  /// The steps of one evaluation.
  static let limit = 100_000
  /// So many comparisons of characters count as one step.
  private static let charactersPerStep = 64

  private var steps = limit
  private var characters = 0

  mutating func spend(_ count: Int = 1) throws(Exceeded) {
    steps -= count
    if steps < 0 { throw Exceeded() }
  }

  mutating func spend(characters count: Int) throws(Exceeded) {
    characters += count
    let whole = characters / Self.charactersPerStep
    characters -= whole * Self.charactersPerStep
    try spend(whole)
  }
}
