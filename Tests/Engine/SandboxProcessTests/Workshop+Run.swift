import Glibc
import Sandbox
import SandboxTrials

extension Workshop {
  /// Spawns, writes the input, reads everything until all pipes have ended, reaps.
  static func run(_ plan: LaunchPlan, input: String = "") throws -> TrialProcess {
    let process = try plan.spawn()
    defer { process.closeAllButInput() }
    let bytes = Array(input.utf8)
    guard Glibc.write(process.standardInput, bytes, bytes.count) == bytes.count else {
      throw Failure("input: \(errno)")
    }
    close(process.standardInput)
    return try TrialProcess.collect(process)
  }
}
