/// An activation rule in its predicate form, understood once.
package struct Predicate: Sendable {
  /// The text of the rule.
  package let source: String
  /// Keys that no object of an activation rule has: they are always nothing.
  package let unknownKeys: [String]
  let root: PredicateNode
  let text: [UInt8]

  /// Understands a predicate. Nothing is put in place of `$` or `%` on the way.
  ///
  /// - Throws: where and why it cannot be understood.
  package init(_ source: String) throws(PredicateError) {
    let text = Array(source.utf8)
    do throws(PredicateError) {
      (root, unknownKeys) = try PredicateParser.parse(text)
    } catch {
      throw error.located(in: text)
    }
    self.source = source
    self.text = text
  }

  /// The value of a predicate that is a constant, in brackets or not.
  package var constant: Bool? { if case .constant(let value, _) = root { value } else { nil } }

  /// Compares the predicate with items.
  package func match(_ items: [ActivationItem], in types: TypeGraph) -> ActivationMatch {
    var evaluator = PredicateEvaluator(root: PredicateValue(items), types: types)
    do throws(StepBudget.Exceeded) {
      if try evaluator.holds(root) {
        return ActivationMatch(isOffered: true, reasons: ["The predicate accepts the items."])
      }
    } catch {
      let reason = "The predicate needs more than \(StepBudget.limit) steps for these items, so it accepts nothing."
      return ActivationMatch(isOffered: false, reasons: [reason])
    }
    return ActivationMatch(isOffered: false, reasons: PredicateExplanation(of: self, items, types).reasons)
  }
}

extension Predicate: Hashable {
  /// Whether both have the same text, to the byte.
  package static func == (one: Predicate, other: Predicate) -> Bool { one.text == other.text }
  /// Hashes the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
