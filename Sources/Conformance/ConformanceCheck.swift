package import ExtensionProtocol

/// One rule of the protocol, and how it is tried on an extension.
package struct ConformanceCheck: Sendable {
  /// Short, hyphenated, stable: what `--check` takes.
  package let name: String
  /// The rule, one sentence.
  package let rule: String
  /// What an author does when it fails.
  package let advice: String
  /// The points it is for; `nil` for all.
  let points: [ExtensionPoint]?
  /// Checks that have to pass first: without them this one would only fail for the same reason.
  let requires: [String]
  /// - Returns: a remark on what was seen.
  let run: @Sendable (CheckBench) async throws -> String?

  init(
    _ name: String, _ rule: String, advice: String, points: [ExtensionPoint]? = nil, requires: [String] = ["answers"],
    _ run: @escaping @Sendable (CheckBench) async throws -> String?
  ) {
    self.name = name
    self.rule = rule
    self.advice = advice
    self.points = points
    self.requires = requires
    self.run = run
  }

  /// Whether it is for an extension of a point.
  package func isFor(_ point: ExtensionPoint) -> Bool { points?.contains(point) ?? true }

  /// Every check, in the order in which they are told.
  package static let all: [ConformanceCheck] =
    beginning + messages + malformed + load + ending + conversation + today + share + action + photo + picker
    + provider + keyboard
}

/// A rule that an extension does not keep.
struct CheckFailure: Error {
  /// What was seen, one or two sentences.
  var seen: String
  /// The last lines of the extension's standard error.
  var lines: [String]

  init(_ seen: String, lines: [String] = []) {
    self.seen = seen
    self.lines = lines
  }
}

/// Something that cannot be tried here.
struct CheckSkipped: Error {
  var why: String
  init(_ why: String) { self.why = why }
}

/// What a check came to.
package struct Finding: Sendable {
  package enum Outcome: Sendable, Equatable {
    case passed(remark: String?)
    /// What was seen, and the last lines of standard error.
    case failed(seen: String, lines: [String])
    case skipped(why: String)
  }

  package let check: ConformanceCheck
  package let outcome: Outcome

  package var hasFailed: Bool { if case .failed = outcome { true } else { false } }
  package var hasPassed: Bool { if case .passed = outcome { true } else { false } }
}
