import MeasuredHost
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

  /// The same program in bubblewrap with a profile of the same kind, and with our list of calls, Landlock and limits in
  /// a second stage, which it does not have itself. Without bubblewrap there are no such workloads.
  static let bubblewraps: [Workload] =
    access(Bubblewrap.program, X_OK) != 0
    ? []
    : [
      Workload(
        name: "spawn-bwrap", summary: "Run /usr/bin/true in bubblewrap, without filters", unit: .milliseconds, count: 30
      ) { _, count in
        Reading(Samples(nanoseconds: try Floor.spawn(Bubblewrap.command + [Bench.program], count: count), per: 1e6))
      } floor: { _, count in
        Reading(Samples(nanoseconds: try Floor.spawn([Bench.program], count: count), per: 1e6))
      },
      Workload(
        name: "spawn-bwrap-filtered", summary: "Run /usr/bin/true in bubblewrap, then the light sandbox",
        unit: .milliseconds, count: 30
      ) { bench, count in
        Reading(
          Samples(nanoseconds: try bench.spawns(.light, count: count, wrapper: Bubblewrap.command), per: 1e6))
      } floor: { _, count in
        Reading(Samples(nanoseconds: try Floor.spawn([Bench.program], count: count), per: 1e6))
      },
    ]

  /// The tool from its start to its end: the time, and the most memory.
  static let commandStart = [
    Workload(name: "cli-start", summary: "Run \"host list\" from start to end", unit: .milliseconds, count: 20) {
      bench, count in
      Reading(Samples(nanoseconds: try Floor.spawn(bench.listCommand, count: count), per: 1e6))
    } floor: { _, count in
      Reading(Samples(nanoseconds: try Floor.spawn([Bench.program], count: count), per: 1e6))
    },
    Workload(name: "cli-memory", summary: "The most memory that \"host list\" has", unit: .mebibytes, count: 1) {
      bench, _ in
      Reading(try bench.floor.peakMemory(of: bench.listCommand))
    } floor: { bench, _ in
      Reading(try bench.floor.peakMemory(of: [Bench.program]))
    },
  ]
}

extension Bench {
  /// The program: the policy takes no path through a link.
  fileprivate static let program = "/usr/bin/true"

  fileprivate var listCommand: [String] { ["\(products)/host", "list", "--home", "\(folder)/home"] }

  /// Nanoseconds from the start of `true` to its end, each.
  fileprivate func spawns(_ choice: SandboxChoice, count: Int, wrapper: [String] = []) throws -> [UInt64] {
    let scratch = "\(folder)/spawn"
    let user: UInt32 = geteuid() == 0 ? 65_534 : geteuid()
    let group: UInt32 = geteuid() == 0 ? 65_534 : getegid()
    try BenchFiles.makeFolder(scratch)
    if geteuid() == 0, chown(scratch, user, group) != 0 { throw BenchmarkError("Cannot give away \(scratch).") }
    let policy = SandboxPolicy(executable: Self.program, scratch: scratch, userID: user, groupID: group)
    let capabilities = try capabilities(for: choice)
    return try (0..<count).map { _ in
      let start = floor_now()
      let process = try LaunchPlan(policy: policy, capabilities: capabilities, launcher: launcher, wrapper: wrapper)
        .spawn()
      let exit = try process.waitUntilExit()
      let time = floor_now() - start
      close(process.standardInput)
      process.closeAllButInput()
      guard exit == .exited(code: 0) else { throw BenchmarkError("\(Self.program) ended with \(exit).") }
      return time
    }
  }
}

/// bubblewrap, told to do what the full sandbox does: own namespaces, and nothing but what a program needs.
private enum Bubblewrap {
  static let program = "/usr/bin/bwrap"

  /// Folders of a development build lie anywhere, so the whole tree is shown, read-only.
  static let command =
    [
      program, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
      "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--chdir", "/",
    ]
    // The second stage gives up the rights of root itself.
    + (geteuid() == 0 ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"] : []) + [
      "--"
    ]
}
