package import Sandbox

/// One thing that a hostile extension tries, by its name in the program `sandbox-attempts`.
package struct Attempt: Sendable {
  /// A layer that a machine may lack whatever its tier.
  enum Layer: Sendable { case execOnce, networkNamespace, noGeneratedCode }

  /// `area/word`.
  package let name: String
  /// What it tries, for people, without a final stop.
  package let summary: String
  /// The tiers that promise to stop it.
  let tiers: [SandboxTier]
  /// What the promise depends on besides.
  let layer: Layer?
  /// What is done to the program's headers before it is started.
  package let program: AlteredProgram?
  /// How the program ends when it is stopped.
  let end: ExtensionExit
  /// What it is told, from the targets of its trial.
  let arguments: @Sendable (TrialTargets) -> [String]

  init(
    _ name: String, _ summary: String, tiers: [SandboxTier] = SandboxTier.allCases,
    needs layer: Layer? = nil, program: AlteredProgram? = nil, end: ExtensionExit = .exited(code: 0),
    _ arguments: @escaping @Sendable (TrialTargets) -> [String] = { _ in [] }
  ) {
    self.name = name
    self.summary = summary
    self.tiers = tiers
    self.layer = layer
    self.program = program
    self.end = end
    self.arguments = arguments
  }

  /// Whether a machine promises to stop it.
  ///
  /// - Parameter generatedCode: See `SandboxPolicy`.
  package func isPromised(by capabilities: SandboxCapabilities, generatedCode: Bool = false) -> Bool {
    guard tiers.contains(capabilities.tier) else { return false }
    return switch layer {
    case .execOnce: capabilities.execOnce
    case .networkNamespace: capabilities.networkNamespace
    case .noGeneratedCode: !generatedCode
    case nil: true
    }
  }

  /// The part of the name before the slash.
  package var area: String { String(name.prefix { $0 != "/" }) }

  static let ownRoot: [SandboxTier] = [.full, .sharedPID, .namespacesOnly]
  static let ownProcesses: [SandboxTier] = [.full, .namespacesOnly]

  /// Every attempt, by area.
  package static let all: [Attempt] =
    files + devices + processes + network + execution + privilege + inheritance + resources
}
