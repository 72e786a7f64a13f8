import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A hostile extension` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  @Test(arguments: try Cases.present(places))
  func `is stopped`(tier: SandboxTier, host: Workshop.Host) throws {
    let targets = try Workshop.targets(host, tier)
    for attempt in Attempt.all {
      let verdict = try targets.judge(attempt)
      #expect(!verdict.isBroken, "\(attempt.name): \(verdict)")
    }
  }

  /// The attempts are real: without a sandbox they succeed. Only such as touch nothing but the targets of this test, and
  /// only as an ordinary user.
  @Test(arguments: [
    "files/secrets", "files/attributes", "files/sizes", "processes/see", "network/tcp", "network/families",
    "network/table", "execution/code", "inheritance/environment", "privilege/calls",
  ])
  func `would escape without a sandbox`(name: String) throws {
    let targets = try Workshop.targets(.user, .light)
    let attempt = try #require(Attempt.all.first { $0.name == name })
    // Of the calls only one, which asks for a number.
    let words = name == "privilege/calls" ? [name, "0,1"] : targets.command(attempt)
    let command = Workshop.Host.user.unconfined + [targets.folder.program] + words
    let result = try Workshop.run(
      LaunchPlan.unsafeNoSandbox(
        executable: command[0], arguments: Array(command.dropFirst()), environment: ["SECRET": "1"]))
    #expect(result.exit == .exited(code: 1), "\(result)")
  }

  /// Both belong to one user, so nothing but the sandboxes keeps them apart.
  @Test(arguments: try Cases.present(places))
  func `cannot reach another extension of its user`(tier: SandboxTier, host: Workshop.Host) throws {
    let targets = try Workshop.targets(host, tier, place: .confined)
    for attempt in Attempt.all where attempt.area == "processes" {
      let verdict = try targets.judge(attempt)
      #expect(!verdict.isBroken, "\(attempt.name): \(verdict)")
    }
  }

  /// What a host inherits from whoever started it, it does not pass on.
  @Test(arguments: try Cases.present(places))
  func `finds nothing that the host inherited`(tier: SandboxTier, host: Workshop.Host) throws {
    let targets = try Workshop.targets(host, tier)
    let environment = [
      "SECRET=1", "LD_PRELOAD=/nonexistent.so", "LD_AUDIT=/nonexistent.so", "GLIBC_TUNABLES=glibc.malloc.check=3",
      "SSH_AUTH_SOCK=/tmp/agent", "AWS_SECRET_ACCESS_KEY=x", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/bus",
    ]
    let wrapper = ["/usr/bin/env", "--ignore-signal=INT,TERM,USR1", "--block-signal=HUP,USR2"] + environment
    for attempt in Attempt.all where attempt.area == "inheritance" {
      let verdict = try targets.judge(attempt, wrapper: wrapper)
      #expect(!verdict.isBroken, "\(attempt.name): \(verdict)")
    }
  }

  @Test(arguments: try Cases.present(places))
  func `that may generate code is stopped at everything else`(tier: SandboxTier, host: Workshop.Host) throws {
    let targets = try Workshop.targets(host, tier)
    var open: [String] = []
    for attempt in Attempt.all {
      let verdict = try targets.judge(attempt, generatedCode: true)
      #expect(!verdict.isBroken, "\(attempt.name): \(verdict)")
      let needsIt = attempt.isPromised(by: Workshop.capabilities(tier))
      if verdict == .notPromised, needsIt { open.append(attempt.name) }
    }
    #expect(open == ["execution/code", "execution/stack", "execution/segment", "execution/tail"])
  }

  /// The altered programs are real: where they are started, the kernel gives them what their headers ask for.
  @Test(arguments: AlteredProgram.allCases, try Cases.present(Workshop.Host.available))
  func `would have memory for its own code`(program: AlteredProgram, host: Workshop.Host) throws {
    let targets = try Workshop.targets(host, .full)
    let attempt = try #require(Attempt.all.first { $0.program == program })
    #expect(try targets.judge(attempt) == .held(how: "not started"))
    var policy = targets.policy(attempt)
    policy.generatedCode = true
    let result = try targets.run(policy)
    #expect(result.output.contains("found code that can be written"), "\(result)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to mask /proc"), arguments: [SandboxTier.sharedPID, .light])
  func `is stopped where a container masks its procfs`(tier: SandboxTier) throws {
    let user = Workshop.Host.user.trial
    let mask = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc/fs && exec \"$@\"", "sh"]
    try expectStopped(by: user.behind(mask), tier: tier)
  }

  @Test(arguments: SandboxTier.allCases)
  func `is stopped where the host runs in a user namespace`(tier: SandboxTier) throws {
    try expectStopped(
      by: Workshop.Host.user.trial.followed(by: ["/usr/bin/unshare", "--user", "--map-current-user"]), tier: tier)
  }

  private func expectStopped(by host: TrialHost, tier: SandboxTier) throws {
    let targets = try TrialTargets(
      host: host, capabilities: Workshop.capabilities(tier), launcher: Workshop.launcher, programs: Workshop.products)
    for attempt in Attempt.all {
      let verdict = try targets.judge(attempt)
      #expect(!verdict.isBroken, "\(attempt.name): \(verdict)")
    }
  }
}
