package import ExtensionProtocol

/// One rule of the protocol, and the code that checks an extension for it.
package struct ConformanceCheck: Sendable {
  /// Short, hyphenated, stable: what `--check` takes.
  package let name: String
  /// The rule, one sentence.
  package let rule: String
  /// What an author should do when the check fails.
  package let advice: String
  /// The extension points of the check; `nil` for all.
  let points: [ExtensionPoint]?
  /// Checks that have to pass first: without them this one would only fail for the same reason.
  let requires: [String]
  /// - Returns: a remark on what was seen.
  let run: @Sendable (CheckContext) async throws -> String?

  /// - Parameters:
  ///   - name: short, hyphenated, and never changed: what `--check` takes.
  ///   - rule: one sentence.
  ///   - advice: what an author should do when the check fails.
  ///   - points: the extension points of the check; `nil` for all.
  ///   - requires: the checks that must pass before this one can find anything new.
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

  /// Whether the check applies to an extension of a point.
  package func isFor(_ point: ExtensionPoint) -> Bool { points?.contains(point) ?? true }
}

/// A rule that an extension does not keep.
package struct CheckFailure: Error {
  /// What the extension did, in one or two sentences.
  package var seen: String
  /// The last lines of the extension's standard error.
  package var lines: [String]

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - seen: one sentence that says what the extension did.
  ///   - lines: further lines for the report, such as messages.
  package init(_ seen: String, lines: [String] = []) {
    self.seen = seen
    self.lines = lines
  }
}

/// Something that cannot be tried here.
package struct CheckSkipped: Error {
  /// The reason, in one sentence.
  package var why: String

  /// Creates a skip with its reason, as one sentence.
  package init(_ why: String) { self.why = why }
}

/// The result of a check.
package struct CheckFinding: Sendable {
  /// The result of a check.
  package enum Outcome: Sendable, Equatable {
    case passed(remark: String?)
    /// What the extension did, and the last lines of standard error.
    case failed(seen: String, lines: [String])
    case skipped(why: String)
  }

  /// The check that was run.
  package let check: ConformanceCheck
  /// The result.
  package let outcome: Outcome

  /// Whether the extension broke the rule.
  package var hasFailed: Bool { if case .failed = outcome { true } else { false } }
  /// Whether the extension kept the rule; `false` for a skipped check as well.
  package var hasPassed: Bool { if case .passed = outcome { true } else { false } }
}
