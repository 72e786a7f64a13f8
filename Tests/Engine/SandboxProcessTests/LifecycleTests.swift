import CLinux
import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A sandbox` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  /// A waiting extension, with descriptors of every process of its sandbox.
  private func startWaiting(_ workshop: Workshop, tier: SandboxTier) throws -> (SandboxedProcess, [Int32]) {
    let policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["wait"])
    let process = try workshop.plan(policy, tier: tier).spawn()
    // The extension may speak before the launcher says that it runs.
    for descriptor in [process.standardOutput, process.control] {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 30_000) == 1)
    }
    return (process, try ProcessTree.descriptors(of: process.pid))
  }

  @Test(arguments: try Cases.present(places))
  func `consists of the launcher's processes and the extension`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let (process, tree) = try startWaiting(workshop, tier: tier)
    #expect(tree.count == (tier == .full || tier == .namespacesOnly ? 3 : 2))
    #expect(try process.reap() == nil)
    try end(process, tree) { try process.signal(SIGKILL) }
  }

  @Test(arguments: try Cases.present(places))
  func `is gone when the lifeline ends`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let (process, tree) = try startWaiting(workshop, tier: tier)
    process.cutLifeline()
    _ = try process.waitUntilExit()
    // Not even a process that has ended is left, for a process 1 that may wait for nobody.
    for descriptor in tree { #expect(clinux_pidfd_signal(descriptor, 0) == ESRCH) }
    release(process, tree)
  }

  @Test(arguments: try Cases.present(places))
  func `is gone when the launcher is terminated`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let (process, tree) = try startWaiting(workshop, tier: tier)
    try end(process, tree) { try process.signal(SIGTERM) }
  }

  @Test(arguments: try Cases.present(places))
  func `says which signal ended the extension`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let (process, tree) = try startWaiting(workshop, tier: tier)
    #expect(clinux_pidfd_signal(try #require(tree.last), SIGKILL) == 0)
    for descriptor in tree { #expect(ProcessTree.hasEnded(descriptor)) }
    let result = try TrialProcess.collect(process)
    #expect(result.statuses == [.executed, .ended(.signalled(number: SIGKILL))])
    release(process, tree)
  }

  @Test(arguments: [SandboxTier.full, .namespacesOnly], try Cases.present(Workshop.Host.available))
  func `says that the extension is lost when its init is killed`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let (process, tree) = try startWaiting(workshop, tier: tier)
    #expect(clinux_pidfd_signal(tree[1], SIGKILL) == 0)
    for descriptor in tree { #expect(ProcessTree.hasEnded(descriptor)) }
    #expect(try TrialProcess.collect(process).statuses == [.executed, .ended(.lost)])
    release(process, tree)
  }

  @Test(arguments: try Cases.present(places))
  func `passes the exit code on`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["no such attempt"])
    let result = try Workshop.run(try workshop.plan(policy, tier: tier))
    #expect(result.statuses == [.executed, .ended(.exited(code: 2))])
    #expect(result.exit == .exited(code: 0))
  }

  @Test(arguments: SandboxTier.allCases)
  func `does not outlive a host that is killed`(tier: SandboxTier) throws {
    let workshop = try Workshop()
    let executable = try workshop.install("sandbox-attempts")
    let user = workshop.host.extensionUser
    let arguments = [
      Workshop.launcher.path, tier.rawValue, "\(clinux_landlock_version())", executable, workshop.scratch, "\(user)",
      "\(workshop.host.extensionGroup)", "10",
    ]
    let host = try LaunchPlan.unsafeNoSandbox(
      executable: Workshop.products + "/StandInHost", arguments: arguments
    ).spawn()
    let launchers = try ProcessTree.lines(10, from: host.standardOutput).map { try #require(Int32($0)) }
    let all = try launchers.flatMap { try ProcessTree.descriptors(of: $0) }
    try host.signal(SIGKILL)
    for descriptor in all { #expect(ProcessTree.hasEnded(descriptor)) }
    close(host.standardInput)
    _ = try TrialProcess.collect(host)
    for descriptor in all { close(descriptor) }
    host.closeAllButInput()
  }

  private func end(_ process: SandboxedProcess, _ tree: [Int32], by action: () throws -> Void) throws {
    try action()
    for descriptor in tree { #expect(ProcessTree.hasEnded(descriptor)) }
    let result = try TrialProcess.collect(process)
    #expect(result.statuses == [.executed])
    release(process, tree)
  }

  private func release(_ process: SandboxedProcess, _ tree: [Int32]) {
    for descriptor in tree { close(descriptor) }
    for descriptor in [
      process.standardInput, process.standardOutput, process.standardError, process.control, process.pidfd,
    ] { close(descriptor) }
  }
}
