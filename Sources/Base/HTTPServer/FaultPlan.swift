internal import Synchronization

/// What goes wrong in place of the answers of a server, and how often; can be changed while the server runs.
package final class FaultPlan<Fault: Sendable>: Sendable {
  private struct Rule: Sendable {
    let fault: Fault
    /// `nil`: again and again.
    var left: Int?
    let applies: @Sendable (String) -> Bool
  }

  /// The most rules of a plan; more are ignored.
  package static var most: Int { 1_000 }

  private let rules = Mutex<[Rule]>([])

  /// Makes a plan in which nothing goes wrong.
  package init() {}

  /// Adds a fault behind those that were added before.
  ///
  /// - Parameters:
  ///   - count: how many requests the fault happens to, from 1; `nil` stands for all.
  ///   - applies: whether the fault happens to what a request asks for.
  package func add(_ fault: Fault, count: Int?, where applies: @escaping @Sendable (String) -> Bool) {
    rules.withLock { if $0.count < Self.most { $0.append(Rule(fault: fault, left: count, applies: applies)) } }
  }

  /// Removes every fault.
  package func clear() { rules.withLock { $0 = [] } }

  /// Returns the first fault that applies to what a request asks for, and counts it; `nil` when nothing goes wrong.
  package func next(for request: String) -> Fault? {
    rules.withLock { rules in
      guard let index = rules.firstIndex(where: { $0.applies(request) }) else { return nil }
      let fault = rules[index].fault
      if let left = rules[index].left {
        if left > 1 { rules[index].left = left - 1 } else { rules.remove(at: index) }
      }
      return fault
    }
  }
}
