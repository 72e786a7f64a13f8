internal import Text
internal import Synchronization

/// Faults by words of a command line: `KIND[:QUERY[:COUNT]]`, such as `rate:wknd-shared/adventures-all:2`.
package final class FaultPlan: Sendable {
  /// Why a word is no fault.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence with the word.
    package let message: String
    /// What a fault looks like.
    package var recovery: String {
      "Give KIND[:QUERY[:COUNT]]; a kind is one of \(FaultPlan.kinds.joined(separator: ", ")), and slow=SECONDS."
    }
    package var description: String { message }
  }

  private struct Step: Sendable {
    let fault: ContentFault
    /// `nil`: every query.
    let query: String?
    /// `nil`: again and again.
    var left: Int?
  }

  private static let known: [(name: String, fault: ContentFault)] = [
    ("login", .loginPage), ("redirect", .redirectToLogin), ("partial", .partial("A part of the answer is missing.")),
    ("errors", .errors("The query failed.")), ("slow", .slow(.seconds(5))), ("html", .errorPage),
    ("unauthorized", .unauthorized), ("rate", .rateLimited), ("unavailable", .unavailable), ("drop", .dropped),
    ("truncated", .truncated), ("changed", .otherModel),
  ]

  /// The name under which pictures are asked for.
  static let pictures = "pictures"

  /// What a word may begin with.
  package static var kinds: [String] { known.map(\.name) }

  private let steps: Mutex<[Step]>

  /// - Parameter words: the first that fits a query and is not used up counts. A query is `configuration/name`,
  ///   `configuration/*` or `*`; `pictures` are pictures; without a query the fault is of every query. A fault with a
  ///   count happens so often, another for ever.
  package init(_ words: [String]) throws(Problem) {
    var steps: [Step] = []
    for word in words { steps.append(try Self.step(word)) }
    self.steps = Mutex(steps)
  }

  private static func step(_ word: String) throws(Problem) -> Step {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    let shown = word.shownInMessage()
    guard parts.count <= 3 else { throw Problem(message: "“\(shown)” has more than three parts.") }
    let kind = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard var fault = known.first(where: { $0.name == kind[0] })?.fault else {
      throw Problem(message: "“\(shown)” is no fault.")
    }
    if kind.count > 1 {
      guard case .slow = fault, let seconds = Double(kind[1]), seconds >= 0, seconds <= 3600 else {
        throw Problem(message: "“\(shown)” has no number of seconds from 0 to 3600.")
      }
      fault = .slow(.milliseconds(Int64(seconds * 1000)))
    }
    var left: Int?
    if parts.count > 2 {
      guard let count = Int32(parts[2]), count > 0 else {
        throw Problem(message: "“\(shown)” does not say how often: a number from 1.")
      }
      left = Int(count)
    }
    let query = parts.count > 1 && !parts[1].isEmpty && parts[1] != "*" ? parts[1] : nil
    return Step(fault: fault, query: query, left: left)
  }

  /// What goes wrong with a request now.
  package func next(for query: String) -> ContentFault? {
    steps.withLock { steps in
      guard let index = steps.firstIndex(where: { $0.left != 0 && Self.fits($0.query, query) }) else { return nil }
      if let left = steps[index].left { steps[index].left = left - 1 }
      return steps[index].fault
    }
  }

  private static func fits(_ pattern: String?, _ query: String) -> Bool {
    guard let pattern else { return query != pictures }
    return pattern == query || (pattern.hasSuffix("/*") && query.hasPrefix(pattern.dropLast()))
  }
}
