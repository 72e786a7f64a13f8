import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A stage that fails` {
  struct Case: Sendable, CustomTestStringConvertible {
    let denied: String
    let error: Int32
    let tier: SandboxTier
    let stage: LaunchStage
    var host: Workshop.Host? = nil
    var execOnce = true

    var testDescription: String { "\(denied) in \(tier)" }
  }

  static let cases = [
    Case(denied: "close_range", error: ENOSYS, tier: .full, stage: .descriptors),
    Case(denied: "unshare", error: EPERM, tier: .full, stage: .userNamespace, host: .user),
    Case(denied: "unshare", error: EPERM, tier: .full, stage: .mountNamespace, host: .root),
    Case(denied: "unshare:0:0x20000000", error: ENOSPC, tier: .full, stage: .pidNamespace),
    Case(denied: "unshare:0:0x40000000", error: EPERM, tier: .full, stage: .networkNamespace),
    Case(denied: "unshare:0:0x08000000", error: EPERM, tier: .full, stage: .ipcNamespace),
    Case(denied: "unshare:0:0x04000000", error: EPERM, tier: .full, stage: .utsNamespace),
    Case(denied: "unshare:0:0x02000000", error: EPERM, tier: .full, stage: .cgroupNamespace),
    Case(denied: "mount_setattr", error: ENOSYS, tier: .full, stage: .mounts),
    Case(denied: "openat2", error: ENOSYS, tier: .full, stage: .mounts),
    Case(denied: "openat2", error: ENOSYS, tier: .light, stage: .landlock),
    Case(denied: "move_mount", error: EPERM, tier: .full, stage: .root),
    Case(denied: "pivot_root", error: EPERM, tier: .full, stage: .root),
    Case(denied: "capset", error: EPERM, tier: .light, stage: .credentials),
    Case(denied: "setresuid", error: EPERM, tier: .light, stage: .credentials, host: .root),
    Case(denied: "seccomp:1:8", error: EINVAL, tier: .full, stage: .execOnce),
    Case(denied: "seccomp", error: EINVAL, tier: .light, stage: .execOnce),
    Case(denied: "seccomp", error: EINVAL, tier: .light, stage: .seccomp, execOnce: false),
    Case(denied: "chdir", error: EACCES, tier: .light, stage: .workingDirectory),
    Case(denied: "prlimit64", error: EPERM, tier: .full, stage: .limits),
    Case(denied: "landlock_create_ruleset", error: ENOSYS, tier: .full, stage: .landlock),
    Case(denied: "landlock_add_rule", error: EINVAL, tier: .light, stage: .landlock),
    Case(denied: "landlock_restrict_self", error: EOPNOTSUPP, tier: .full, stage: .landlock),
  ]

  @Test(arguments: cases, try Cases.present(Workshop.Host.available))
  func `is reported, and nothing has run`(failing: Case, host: Workshop.Host) throws {
    guard failing.host ?? host == host else { return }
    let workshop = try Workshop(host: host)
    let policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["wait"])
    var capabilities = Workshop.capabilities(failing.tier)
    capabilities.execOnce = failing.execOnce
    let denier = [Workshop.products + "/FeatureDenier", "\(failing.denied)=\(failing.error)", "--"]
    let plan = try LaunchPlan(
      policy: policy, capabilities: capabilities, launcher: Workshop.launcher, host: host.identity,
      wrapper: host.wrapper + denier)
    let result = try Workshop.run(plan)
    #expect(result.statuses == [.launchFailed(LaunchFailure(stage: failing.stage, errorNumber: failing.error))])
    #expect(result.output == "" && result.errors == "")
    #expect(result.exit == .exited(code: 125))
  }

  @Test(arguments: SandboxTier.allCases, try Cases.present(Workshop.Host.available))
  func `of a program that cannot be executed is the last`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let program = workshop.bundle + "/broken"
    // The head of a program for this machine, without the rest.
    let head = try #require(Workshop.bytes(of: Workshop.launcher.path, count: 64))
    try workshop.write(bytes: head, to: program, mode: 0o755)
    let result = try Workshop.run(try workshop.plan(workshop.policy(program), tier: tier))
    guard case .launchFailed(let failure)? = result.statuses.first else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.stage == .execute && result.statuses.count == 1)
  }

  @Test(arguments: [
    [], [0], Array(repeating: UInt8(0xff), count: 200), Array("ANXP".utf8) + Array(repeating: 0, count: 96),
  ])
  func `is that of the policy for bytes that are none`(bytes: [UInt8]) throws {
    let result = try Workshop.run(LaunchPlan(bytes: bytes, launcher: Workshop.launcher))
    #expect(result.statuses == [.launchFailed(LaunchFailure(stage: .policy, errorNumber: EINVAL))])
  }
}
