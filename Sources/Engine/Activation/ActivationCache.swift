import Synchronization
import Text

/// A cache of rule evaluations, so that the same question about the same items costs nothing.
///
/// An answer depends on the rule, on the known types, and on the items; all three form its key.
package final class ActivationCache: Sendable {
  private struct Key: Hashable {
    let rule: ActivationRule
    let revision: UInt64
    let items: [ActivationItem]
    /// Equal items may be spelt differently, and a rule may compare them by their bytes.
    let texts: [ExactText]
  }

  private let limit: Int
  private let answers = Mutex<[Key: ActivationMatch]>([:])

  /// - Parameter limit: when there are more answers than this, all are forgotten.
  package init(limit: Int = 1024) { self.limit = limit }

  /// The number of answers that are remembered.
  package var count: Int { answers.withLock { $0.count } }

  /// The remembered answer, or a new one.
  package func match(_ rule: ActivationRule, _ items: [ActivationItem], in types: TypeGraph) -> ActivationMatch {
    let key = Key(rule: rule, revision: types.revision, items: items, texts: items.flatMap(\.texts))
    if let answer = answers.withLock({ $0[key] }) { return answer }
    let answer = rule.match(items, in: types)
    answers.withLock { answers in
      if answers.count >= limit { answers.removeAll() }
      answers[key] = answer
    }
    return answer
  }
}
