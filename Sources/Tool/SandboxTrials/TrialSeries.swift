package import Sandbox

/// Every attempt, one after the other, in one tier of this machine.
package struct TrialSeries: Sendable {
  /// One attempt and its verdict.
  package struct Trial: Sendable {
    /// What the hostile program tried.
    package let attempt: Attempt
    /// Whether the sandbox held.
    package let verdict: Verdict
  }

  /// The tier in which the attempts ran.
  package let tier: SandboxTier
  /// The trials, in the order in which they ran.
  package let trials: [Trial]

  /// Promises that do not hold.
  package var broken: [Trial] { trials.filter(\.verdict.isBroken) }
  /// The number of attempts that the sandbox stopped.
  package var heldCount: Int { trials.count { if case .held = $0.verdict { true } else { false } } }
  /// The attempts that this tier does not promise to stop.
  package var unpromised: [Attempt] { trials.filter { $0.verdict == .notPromised }.map(\.attempt) }

  /// Creates a series from its trials.
  package init(tier: SandboxTier, trials: [Trial]) {
    self.tier = tier
    self.trials = trials
  }

  /// Tries. Blocks the calling thread for some milliseconds for each attempt; an attempt that hangs is ended.
  ///
  /// - Parameters:
  ///   - launcher: The program that confines.
  ///   - programs: The absolute path of the folder with `sandbox-attempts`.
  /// - Throws: `TrialError` when the targets cannot be laid out, `SandboxError` when no process can be started.
  package static func run(
    _ capabilities: SandboxCapabilities, launcher: Launcher, programs: String
  ) throws -> TrialSeries {
    let targets = try TrialTargets(
      host: .current, capabilities: capabilities, launcher: launcher, programs: programs)
    let trials = try Attempt.all.map { Trial(attempt: $0, verdict: try targets.judge($0)) }
    return TrialSeries(tier: capabilities.tier, trials: trials)
  }
}

/// What a trial of one attempt came to.
package enum Verdict: Sendable, Hashable {
  /// The sandbox held: the kernel's answer, for people.
  case held(how: String)
  /// The tier does not promise to stop this.
  case notPromised
  /// A promise does not hold, with what was seen.
  case broken(String)

  /// Whether the sandbox failed to stop the attempt.
  package var isBroken: Bool { if case .broken = self { true } else { false } }
}

/// What went wrong around a trial, not in what it tries.
package struct TrialError: Error, CustomStringConvertible {
  /// The sentence.
  package let description: String

  /// Creates an error from one sentence.
  package init(_ description: String) { self.description = description }
}
