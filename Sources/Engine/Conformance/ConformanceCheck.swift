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
  let run: @Sendable (CheckContext) async throws -> String?

  /// - Parameters:
  ///   - name: short, hyphenated, and never changed: what `--check` takes.
  ///   - rule: one sentence.
  ///   - advice: what an author does when the check fails.
  ///   - points: the points it is for; `nil` for all.
  ///   - requires: checks that have to pass before this one says anything new.
  ///   - run: tries the extension, and returns a remark on what was seen. Throws ``CheckFailure`` and ``CheckSkipped``.
  package init(
    _ name: String, _ rule: String, advice: String, points: [ExtensionPoint]? = nil, requires: [String] = ["answers"],
    _ run: @escaping @Sendable (CheckContext) async throws -> String?
  ) {
    self.name = name
    self.rule = rule
    self.advice = advice
    self.points = points
    self.requires = requires
    self.run = run
  }

  /// Whether a name is the check's, or that of the rule which it tries on one method.
  func isNamed(_ name: String) -> Bool { self.name == name || self.name.hasPrefix("\(name):") }

  /// Whether it is for an extension of a point.
  package func isFor(_ point: ExtensionPoint) -> Bool { points?.contains(point) ?? true }
}

/// A rule that an extension does not keep.
package struct CheckFailure: Error {
  /// What was seen, one or two sentences.
  package var seen: String
  /// The last lines of the extension's standard error.
  package var lines: [String]

  package init(_ seen: String, lines: [String] = []) {
    self.seen = seen
    self.lines = lines
  }
}

/// Something that cannot be tried here.
package struct CheckSkipped: Error {
  /// One sentence.
  package var why: String

  package init(_ why: String) { self.why = why }
}

/// What a check came to.
package struct CheckFinding: Sendable {
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
