import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Sandbox
import SandboxTrials

/// A program started as an extension would be, with a folder in the host's own state: a sandbox may be whole and the way
/// to its folders closed.
enum TrialLaunch {
  private static let layer = "a start"

  /// Blocks for the time of a start; what it makes in the state folder is removed.
  static func row(_ capabilities: SandboxCapabilities, state: StateDirectory) -> SandboxReport.Row {
    do {
      let owner = ExtensionUser.ofTool
      let scratch = try state.scratchFolder(owner: owner)
      defer { try? StateDirectory.remove(scratch) }
      let identity = HostIdentity.current
      var policy = SandboxPolicy(
        executable: "\(Installation.products)/sandbox-attempts", scratch: scratch,
        userID: owner?.uid ?? identity.userID, groupID: owner?.gid ?? identity.groupID)
      policy.arguments = ["files/use-container", scratch]
      let launcher = try ExtensionHost.findLauncher(state: state)
      let plan = try LaunchPlan(policy: policy, capabilities: capabilities, launcher: launcher)
      return row(of: try TrialProcess.run(plan), scratch)
    } catch {
      return row(of: error)
    }
  }

  /// The row where nothing was started.
  static func row(of error: any Error) -> SandboxReport.Row {
    let (message, recovery) =
      switch error {
      case let error as SandboxError: (error.message, Optional(error.recovery))
      default: (ExtensionError(wrapping: error).message, ExtensionError(wrapping: error).recovery)
      }
    return SandboxReport.Row(layer: layer, enforced: false, detail: message, recovery: recovery)
  }

  private static func row(of process: TrialProcess, _ scratch: String) -> SandboxReport.Row {
    if case .launchFailed(let failure)? = process.statuses.first {
      return SandboxReport.Row(
        layer: layer, enforced: false, detail: "no extension can be started: \(failure)",
        recovery: failure.recovery)
    }
    guard process.ended == .exited(code: 0) else {
      return SandboxReport.Row(
        layer: layer, enforced: false, detail: "a program started and could not use its folder \(scratch)",
        recovery: "Check the file system of the host's state, or move it with ANNEX_HOME.")
    }
    return SandboxReport.Row(
      layer: layer, enforced: true, detail: "a program ran, and used a folder of the host's state")
  }
}
