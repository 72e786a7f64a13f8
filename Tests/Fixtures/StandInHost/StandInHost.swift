import Glibc
import Sandbox

/// A host that starts extensions, names the processes it holds and waits to be killed.
///
/// Arguments: launcher, tier, Landlock version, executable, scratch directory, user, group, how many.
@main
struct StandInHost {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 9, let tier = SandboxTier(rawValue: arguments[2]) else { exit(2) }
    guard let landlock = UInt32(arguments[3]), let user = UInt32(arguments[6]), let group = UInt32(arguments[7]) else {
      exit(2)
    }
    var policy = SandboxPolicy(executable: arguments[4], scratch: arguments[5], userID: user, groupID: group)
    policy.arguments = ["wait"]
    do throws(SandboxError) {
      let plan = try LaunchPlan(
        policy: policy, capabilities: SandboxCapabilities(tier: tier, landlockVersion: landlock),
        launcher: Launcher(path: arguments[1])
      )
      for _ in 0..<(Int(arguments[8]) ?? 1) {
        let process = try plan.spawn()
        awaitExecution(of: process)
        print(process.pid)
      }
    } catch {
      print(error)
      exit(3)
    }
    fflush(nil)
    while true { pause() }
  }

  private static func awaitExecution(of process: SandboxedProcess) {
    var waiting = pollfd(fd: process.control, events: Int16(POLLIN), revents: 0)
    _ = poll(&waiting, 1, 10_000)
  }
}
