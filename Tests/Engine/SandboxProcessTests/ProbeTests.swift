import CLinux
import Glibc
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A probe` {
  private func probe(_ host: Workshop.Host, denying rules: [String] = []) throws(SandboxError) -> SandboxCapabilities {
    let denier = rules.isEmpty ? [] : [Workshop.products + "/FeatureDenier"] + rules + ["--"]
    return try SandboxProbe(
      launcher: Workshop.launcher, host: host.identity, wrapper: host.wrapper + denier, deadline: Workshop.patience
    ).run()
  }

  @Test(
    .enabled(if: clinux_landlock_version() > 0, "needs Landlock"), arguments: try Cases.present(Workshop.Host.available)
  )
  func `finds every layer where the kernel has them`(host: Workshop.Host) throws {
    let found = try probe(host)
    #expect(found.tier == .full && found.execOnce && found.networkNamespace && found.failures.isEmpty)
    #expect(found.isCurrent(host: host.identity))
    let layers = SandboxReport(found, host: host.identity).rows.filter { !$0.enforced }.map(\.layer)
    #expect(layers == (host == .root ? [] : ["own user"]))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let denied: [String]
    let tier: SandboxTier
    var execOnce = true
    var networkNamespace = true
    let stages: [LaunchStage]

    var testDescription: String { "\(denied) leaves \(tier)" }
  }

  static let cases = [
    Case(denied: ["landlock_create_ruleset=38"], tier: .namespacesOnly, stages: [.landlock]),
    Case(denied: ["landlock_create_ruleset=95"], tier: .namespacesOnly, stages: [.landlock]),
    Case(denied: ["landlock_restrict_self=1"], tier: .namespacesOnly, stages: [.landlock]),
    Case(denied: ["unshare:0:0x20000000=1"], tier: .sharedPID, stages: [.pidNamespace]),
    Case(denied: ["unshare:0:0x00020000=1"], tier: .light, stages: [.mountNamespace]),
    Case(denied: ["mount_setattr=38"], tier: .light, stages: [.mounts]),
    Case(denied: ["pivot_root=1"], tier: .light, stages: [.root]),
    Case(denied: ["unshare:0:0x40000000=1"], tier: .full, networkNamespace: false, stages: [.networkNamespace]),
    Case(denied: ["seccomp:1:8=22"], tier: .full, execOnce: false, stages: [.execOnce]),
    Case(
      denied: ["seccomp:1:8=22", "unshare:0:0x40000000=1", "pivot_root=1"], tier: .light, execOnce: false,
      networkNamespace: false, stages: [.networkNamespace, .root, .execOnce]),
  ]

  @Test(arguments: cases, try Cases.present(Workshop.Host.available))
  func `falls back by what is missing, and says so`(missing: Case, host: Workshop.Host) throws {
    let found = try probe(host, denying: missing.denied)
    #expect(found.tier == missing.tier)
    #expect(found.execOnce == missing.execOnce)
    #expect(found.networkNamespace == missing.networkNamespace)
    // Root tries once more inside of a namespace of users.
    let again = host == .root && missing.stages == [.mountNamespace]
    #expect(found.failures.map(\.stage) == (again ? missing.stages + missing.stages : missing.stages))
    #expect(!SandboxReport(found, host: host.identity).isComplete)
  }

  @Test(
    arguments: [
      ["seccomp=22"], ["close_range=38"], ["capset=1"], ["prlimit64=1"],
      ["landlock_create_ruleset=38", "pivot_root=1"],
      ["landlock_create_ruleset=38", "unshare=1"], ["unshare=1", "landlock_restrict_self=95"],
    ], try Cases.present(Workshop.Host.available))
  func `refuses below the minimum`(denied: [String], host: Workshop.Host) throws {
    #expect(throws: SandboxError(.sandboxUnavailable, "", recovery: "")) { try probe(host, denying: denied) }
  }

  @Test(arguments: try Cases.present(Workshop.Host.available))
  func `refuses when more is demanded than there is`(host: Workshop.Host) throws {
    let denier = [Workshop.products + "/FeatureDenier", "unshare=1", "--"]
    let probe = SandboxProbe(
      launcher: Workshop.launcher, host: host.identity, wrapper: host.wrapper + denier, deadline: Workshop.patience)
    #expect(throws: SandboxError(.sandboxUnavailable, "", recovery: "")) { try probe.run(minimum: .full) }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to mask /proc"))
  func `shares process ids where the container masks its procfs`() throws {
    let host = Workshop.Host.user
    let mask = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc/fs && exec \"$@\"", "sh"]
    let found = try SandboxProbe(
      launcher: Workshop.launcher, host: host.identity, wrapper: mask + host.wrapper, deadline: Workshop.patience
    ).run()
    #expect(found.tier == .sharedPID)
    #expect(found.failures.map(\.stage) == [.proc])
  }

  @Test func `refuses without a launcher`() {
    #expect(throws: SandboxError(.sandboxUnavailable, "", recovery: "")) {
      try SandboxProbe(launcher: Launcher(path: "/nonexistent/extension-launcher")).run()
    }
  }
}
