package import HTTPServer
internal import Text

/// Faults by words of a command line: `KIND[:QUERY[:COUNT]]`, such as `rate:wknd-shared/adventures-all:2`.
extension ContentFault {
  /// An error in the text of a fault.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence with the word.
    package let message: String
    /// The advice: the form of a fault.
    package var recovery: String {
      "Give KIND[:QUERY[:COUNT]]; a kind is one of \(ContentFault.kinds.joined(separator: ", ")), and slow=SECONDS."
    }
    /// The message.
    package var description: String { message }
  }

  private static let known: [(name: String, fault: ContentFault)] = [
    ("login", .loginPage), ("redirect", .redirectToLogin), ("partial", .partial("A part of the answer is missing.")),
    ("errors", .errors("The query failed.")), ("slow", .slow(.seconds(5))), ("html", .errorPage),
    ("unauthorized", .unauthorized), ("rate", .rateLimited), ("unavailable", .unavailable), ("drop", .dropped),
    ("truncated", .truncated), ("changed", .otherModel),
  ]

  /// The name of pictures in place of a query's path.
  static let pictures = "pictures"

  /// The names of the kinds of faults.
  package static var kinds: [String] { known.map(\.name) }

  /// Returns the fault that a kind names, such as `slow=0.5`.
  fileprivate init(kind text: String, of word: String) throws(Problem) {
    let kind = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard let fault = Self.known.first(where: { $0.name == kind[0] })?.fault else {
      throw Problem(message: "“\(word)” is not a fault.")
    }
    self = fault
    guard kind.count > 1 else { return }
    guard case .slow = fault, let seconds = Double(kind[1]), seconds >= 0, seconds <= 3600 else {
      throw Problem(message: "“\(word)” has no number of seconds from 0 to 3600.")
    }
    self = .slow(.milliseconds(Int64(seconds * 1000)))
  }
}

extension FaultPlan<ContentFault> {
  /// Makes a plan of the faults that words name.
  ///
  /// - Parameter words: the first that fits a query and is not used up counts. A query is `configuration/name`,
  ///   `configuration/*` or `*`; `pictures` are pictures; without a query the fault is of every query. A fault with a
  ///   count happens so often, another for ever.
  /// - Throws: `ContentFault.Problem` for a word that names no fault.
  package convenience init(_ words: [String]) throws(ContentFault.Problem) {
    self.init()
    for word in words { try add(word) }
  }

  private func add(_ word: String) throws(ContentFault.Problem) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    let shown = word.shownInMessage()
    guard parts.count <= 3 else { throw ContentFault.Problem(message: "“\(shown)” has more than three parts.") }
    let fault = try ContentFault(kind: parts[0], of: shown)
    var count: Int?
    if parts.count > 2 {
      guard let number = Int32(parts[2]), number > 0 else {
        throw ContentFault.Problem(message: "“\(shown)” does not say how often: a number from 1.")
      }
      count = Int(number)
    }
    let pattern = parts.count > 1 && !parts[1].isEmpty && parts[1] != "*" ? parts[1] : nil
    add(fault, count: count) { query in
      guard let pattern else { return query != ContentFault.pictures }
      return pattern == query || (pattern.hasSuffix("/*") && query.hasPrefix(pattern.dropLast()))
    }
  }
}
