package import Sandbox

/// Every attempt, one after the other, in one tier of this machine.
package struct TrialSeries: Sendable {
  package struct Trial: Sendable {
    package let attempt: Attempt
    package let verdict: Verdict
  }

  package let tier: SandboxTier
  package let trials: [Trial]

  /// Promises that do not hold.
  package var broken: [Trial] { trials.filter(\.verdict.isBroken) }
  package var heldCount: Int { trials.count { if case .held = $0.verdict { true } else { false } } }
  package var unpromised: [Attempt] { trials.filter { $0.verdict == .notPromised }.map(\.attempt) }

  package init(tier: SandboxTier, trials: [Trial]) {
    self.tier = tier
    self.trials = trials
  }

  /// Tries. Blocks the calling thread for some milliseconds for each attempt; an attempt that hangs is ended.
  ///
  /// - Parameter programs: The absolute path of the folder with `extension-launcher` and `sandbox-attempts`.
  /// - Throws: `TrialError` when the baits cannot be laid out, `SandboxError` when no process can be started.
  package static func run(_ capabilities: SandboxCapabilities, programs: String) throws -> TrialSeries {
    let baits = try Baits(host: .current, capabilities: capabilities, programs: programs)
    let trials = try Attempt.all.map { Trial(attempt: $0, verdict: try baits.judge($0)) }
    return TrialSeries(tier: capabilities.tier, trials: trials)
  }
}
