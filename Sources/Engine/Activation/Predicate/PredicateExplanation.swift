/// Finds the smallest parts of a predicate that made it false, and the attachment that they were evaluated for.
struct PredicateExplanation {
  private(set) var reasons: [String] = []
  private let predicate: Predicate
  private var evaluator: PredicateEvaluator

  private static let maximumReasons = 64

  init(of predicate: Predicate, _ items: [ActivationItem], _ types: TypeGraph) {
    self.predicate = predicate
    evaluator = PredicateEvaluator(root: PredicateValue(items), types: types)
    do throws(StepBudget.Exceeded) {
      try explain(predicate.root, isWanted: true, [:], nil)
    } catch {
      reasons.append("More could be said, but not within \(StepBudget.limit) steps.")
    }
    if reasons.isEmpty { reasons = ["\(quoted(predicate.root)) is false."] }
  }

  private mutating func add(_ node: PredicateNode, _ subject: String?, _ what: String) {
    let (line, column) = PredicatePlace.of(node.range.lowerBound, in: predicate.text)
    let sentence = "\(quoted(node)) \(subject.map { "for \($0) " } ?? "")\(what) (line \(line), column \(column))."
    if reasons.count < Self.maximumReasons, !reasons.contains(sentence) { reasons.append(sentence) }
  }

  /// The text of a part, on one line and not too long.
  private func quoted(_ node: PredicateNode) -> String {
    let text = String(decoding: predicate.text[node.range], as: UTF8.self)
    let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "“\(plain.count > 120 ? plain.prefix(119) + "…" : plain[...])”"
  }

  /// Says why a part is not what is wanted of it.
  private mutating func explain(
    _ node: PredicateNode, isWanted: Bool, _ variables: PredicateEvaluator.Variables, _ subject: String?
  ) throws(StepBudget.Exceeded) {
    switch node {
    case .and(let parts, _), .or(let parts, _):
      // Under NOT, the parts to blame are those that hold.
      for part in parts where try evaluator.holds(part, variables) != isWanted {
        try explain(part, isWanted: isWanted, variables, subject)
      }
    case .not(let part, _): try explain(part, isWanted: !isWanted, variables, subject)
    case .constant, .literal, .list, .path: add(node, subject, "is \(isWanted ? "false" : "true")")
    case .comparison(let comparison, _):
      try explain(comparison, node, isWanted: isWanted, variables, subject)
    }
  }

  private mutating func explain(
    _ comparison: PredicateNode.Comparison, _ node: PredicateNode, isWanted: Bool,
    _ variables: PredicateEvaluator.Variables, _ subject: String?
  ) throws(StepBudget.Exceeded) {
    let left = try evaluator.value(comparison.left, variables)
    let right = try evaluator.value(comparison.right, variables)
    let verdict = isWanted ? "is false" : "is true, which it must not be"
    if comparison.quantifier != nil {
      return add(node, subject, "\(verdict): the left side is \(left.shown)")
    }
    // The elements that a SUBQUERY left out, when more were wanted, are what the author looks for.
    let before = reasons.count
    if isWanted {
      for side in [comparison.left, comparison.right] { try explainCount(side, variables) }
    }
    if reasons.count == before || !isWanted {
      add(node, subject, "\(verdict): the left side is \(left.shown), the right side \(right.shown)")
    } else if case .path(base: .subquery, _, _) = comparison.left, variables.isEmpty {
      let count = "\(left.shown) \(comparison.operation.rawValue) \(right.shown)"
      reasons.append("So the whole comparison, \(count), is false.")
    }
  }

  /// Explains for each element why a counted SUBQUERY left it out.
  private mutating func explainCount(
    _ side: PredicateNode, _ variables: PredicateEvaluator.Variables
  ) throws(StepBudget.Exceeded) {
    guard case .path(base: .subquery(let subquery), let steps, _) = side else { return }
    guard case .count? = steps.last, steps.count == 1 else { return }
    let collection = try evaluator.value(subquery.collection, variables)
    for element in PredicateEvaluator.elements(of: collection) {
      var inner = variables
      inner[subquery.variable] = element
      guard try !evaluator.holds(subquery.predicate, inner) else { continue }
      try explain(subquery.predicate, isWanted: true, inner, element.shown)
    }
  }
}
