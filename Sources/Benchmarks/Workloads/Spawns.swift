import BenchmarkResults
import CFloor
import Glibc
import Sandbox

extension Workload {
  /// What the sandbox alone costs: `true` from its start to its end.
  static let spawns = [SandboxChoice.light, .full].map { choice in
    Workload(
      name: "spawn-\(choice.rawValue)", summary: "Run /usr/bin/true in the \(choice) sandbox", unit: .milliseconds,
      count: 30
    ) { bench, count in
      Reading(Samples(nanoseconds: try bench.spawns(choice, count: count), per: 1e6))
    } floor: { _, count in
      Reading(Samples(nanoseconds: try Floor.spawn([Bench.program], count: count), per: 1e6))
    }
  }

  /// The tool from its start to its end.
  static let commandStart = Workload(
    name: "cli-start", summary: "Run \"host list\" from start to end", unit: .milliseconds, count: 20
  ) { bench, count in
    let command = ["\(bench.products)/host", "list", "--home", "\(bench.folder)/home"]
    return Reading(Samples(nanoseconds: try Floor.spawn(command, count: count), per: 1e6))
  } floor: { _, count in
    Reading(Samples(nanoseconds: try Floor.spawn([Bench.program], count: count), per: 1e6))
  }
}

extension Bench {
  /// The program: the policy takes no path through a link.
  fileprivate static let program = "/usr/bin/true"

  /// Nanoseconds from the start of `true` to its end, each.
  fileprivate func spawns(_ choice: SandboxChoice, count: Int) throws -> [UInt64] {
    let scratch = "\(folder)/spawn"
    let user: UInt32 = geteuid() == 0 ? 65_534 : geteuid()
    let group: UInt32 = geteuid() == 0 ? 65_534 : getegid()
    try Files.makeFolder(scratch)
    if geteuid() == 0, chown(scratch, user, group) != 0 { throw BenchmarkError("Cannot give away \(scratch).") }
    let policy = SandboxPolicy(executable: Self.program, scratch: scratch, userID: user, groupID: group)
    let capabilities = try capabilities(for: choice)
    return try (0..<count).map { _ in
      let start = floor_now()
      let process = try LaunchPlan(policy: policy, capabilities: capabilities, launcher: launcher).spawn()
      let exit = try process.waitUntilExit()
      let time = floor_now() - start
      for descriptor in [process.standardInput, process.standardOutput, process.standardError, process.status] {
        close(descriptor)
      }
      close(process.lifeline)
      close(process.pidfd)
      guard exit == .exited(code: 0) else { throw BenchmarkError("\(Self.program) ended with \(exit).") }
      return time
    }
  }
}
