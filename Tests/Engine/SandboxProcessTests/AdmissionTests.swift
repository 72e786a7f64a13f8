import Files
import Glibc
import SandboxTrials
import TestSupport
import Testing

@testable import Sandbox

/// What waits for its control group. A folder with a file `cgroup.procs` stands in for one: what the kernel does with a
/// real one is another test.
@Suite(.timeLimit(.minutes(1)))
struct `A launcher that is to enter a group` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  private func plan(_ workshop: Workshop, _ tier: SandboxTier, group: ControlGroup) throws -> LaunchPlan {
    let program = try workshop.install("sandbox-attempts")
    return try LaunchPlan(
      policy: workshop.policy(program, arguments: ["no such attempt"]), capabilities: Workshop.capabilities(tier),
      launcher: Workshop.launcher, host: workshop.host.identity, wrapper: workshop.host.wrapper, group: group)
  }

  @Test(arguments: try Cases.present(places))
  func `is in it before the program runs`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    try workshop.write("", to: "\(workshop.root)/cgroup.procs", mode: 0o600)
    let process = try plan(workshop, tier, group: ControlGroup(path: workshop.root, version: .two)).spawn()
    close(process.standardInput)
    #expect(Workshop.contents(of: "\(workshop.root)/cgroup.procs") == "\(process.pid)")
    #expect(try TrialProcess.collect(process).statuses == [.executed, .ended(.exited(code: 2))])
    process.closeAllButInput()
  }

  @Test func `is not started when it cannot`() throws {
    let workshop = try Workshop()
    let plan = try plan(workshop, .light, group: ControlGroup(path: "\(workshop.root)/none", version: .two))
    // Another test of this process may have left one that is still ending.
    let before = Workshop.children(named: "extension-launc")
    do throws(SandboxError) {
      let process = try plan.spawn()
      Issue.record("\(process)")
    } catch {
      #expect(error.code == .controlGroupUnusable && error.message.contains("\(workshop.root)/none"), "\(error)")
    }
    #expect(Set(Workshop.children(named: "extension-launc")).isSubset(of: before))
  }

  @Test func `starts nothing when its host is gone before it is in it`() throws {
    let workshop = try Workshop()
    let waiting = try plan(workshop, .light, group: ControlGroup(path: workshop.root, version: .two))
    guard case .sandboxed(let policy) = waiting.mode else { throw Failure("no policy") }
    let process = try LaunchPlan(bytes: policy, launcher: Workshop.launcher).spawn()
    process.cutLifeline()
    close(process.standardInput)
    let failure = LaunchFailure(stage: .policy, errorNumber: ECANCELED)
    #expect(try TrialProcess.collect(process).statuses == [.launchFailed(failure)])
    for descriptor in [process.standardOutput, process.standardError, process.control, process.pidfd] {
      close(descriptor)
    }
  }
}

extension Workshop {
  /// The children of this process with a name, as the kernel cuts it, zombies included.
  static func children(named name: String) -> [String] {
    Folder.names(in: "/proc/self/task").flatMap { thread in
      (contents(of: "/proc/self/task/\(thread)/children") ?? "").split(separator: " ").filter { pid in
        contents(of: "/proc/\(pid)/comm") == "\(name)\n"
      }.map(String.init)
    }
  }
}
