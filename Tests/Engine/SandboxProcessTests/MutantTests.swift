import Glibc
import SandboxTrials
import TestSupport
import Testing

@testable import Sandbox

/// Launchers with one layer switched off: each must be told from a whole one, by the look from the inside or by an
/// attempt, or a layer could get lost and nobody would know.
@Suite(.timeLimit(.minutes(1)))
struct `A launcher without one layer` {
  struct Mutant: Sendable, CustomTestStringConvertible {
    let layer: String
    var tier = SandboxTier.full
    /// The stage that the probe names; nil where it does not look.
    var probed: LaunchStage?
    /// An attempt that is no longer stopped, and harms nobody when it is not.
    var attempt: String?
    var host: Workshop.Host?

    var testDescription: String { "\(layer) in \(tier)" }
  }

  static let mutants = [
    Mutant(layer: "descriptors", attempt: "inheritance/descriptors"),
    Mutant(layer: "session", attempt: "inheritance/attributes"),
    // Without it the kernel takes no filter, so the launcher itself fails: monitor and init, in either order.
    Mutant(layer: "noNewPrivileges", probed: .`init`, attempt: "privilege/ids"),
    Mutant(layer: "mountNamespace", probed: .root, attempt: "files/sizes"),
    Mutant(layer: "pidNamespace", probed: .pidNamespace, attempt: "processes/see"),
    Mutant(layer: "privateProc", attempt: "processes/see"),
    Mutant(layer: "networkNamespace", probed: .networkNamespace, attempt: "privilege/shared"),
    Mutant(layer: "ipcNamespace", probed: .networkNamespace, attempt: "privilege/shared"),
    Mutant(layer: "utsNamespace", probed: .networkNamespace, attempt: "privilege/shared"),
    Mutant(layer: "cgroupNamespace", probed: .networkNamespace, attempt: "privilege/shared"),
    Mutant(layer: "credentials", probed: .credentials, attempt: "privilege/ids", host: .root),
    Mutant(layer: "bounding", attempt: "privilege/ids"),
    Mutant(layer: "execOnce", probed: .execOnce, attempt: "execution/again"),
    Mutant(layer: "limits", probed: .limits, attempt: "resources/descriptors"),
    Mutant(layer: "landlock", probed: .landlock),
    Mutant(layer: "landlock", tier: .light, probed: .landlock, attempt: "files/secrets"),
    Mutant(layer: "seccomp", probed: .seccomp, attempt: "network/families"),
    Mutant(layer: "allow:mmap", attempt: "execution/code"),
    Mutant(layer: "allow:mprotect", attempt: "execution/code"),
    Mutant(layer: "allow:fallocate", attempt: "resources/room"),
    Mutant(layer: "allow:close_range", attempt: "resources/tables"),
    Mutant(layer: "tables", attempt: "resources/tables"),
    Mutant(layer: "hiddenMemory", attempt: "resources/hidden"),
    Mutant(layer: "allow:renameat2", attempt: "files/whiteout"),
    Mutant(layer: "allow:openat", attempt: "files/rights"),
    Mutant(layer: "allow:fchmod", attempt: "files/rights"),
    Mutant(layer: "allow:flock", attempt: "files/locks"),
    Mutant(layer: "allow:flock", attempt: "channels/locks"),
    Mutant(layer: "allow:fcntl", attempt: "channels/locks"),
    Mutant(layer: "allow:fcntl", attempt: "channels/own-locks"),
    Mutant(layer: "allow:futex", attempt: "channels/futex"),
    Mutant(layer: "limits", attempt: "resources/signals"),
    Mutant(layer: "allow:sendmsg", attempt: "network/pair"),
    Mutant(layer: "allow:recvmsg", attempt: "network/pair"),
    Mutant(layer: "allow:sendto", attempt: "network/pair"),
    Mutant(layer: "allow:socketpair", attempt: "network/pair"),
  ]

  private static let program = Workshop.products + "/MutantLauncher"

  @Test(arguments: mutants, try Cases.present(Workshop.Host.available))
  func `is noticed by an attempt`(mutant: Mutant, host: Workshop.Host) throws {
    guard let name = mutant.attempt, mutant.host ?? host == host else { return }
    let attempt = try #require(Attempt.all.first { $0.name == name })
    let targets = try Workshop.targets(host, mutant.tier)
    #expect(!(try targets.judge(attempt)).isBroken, "the launcher is whole here")
    let verdict = try targets.judge(attempt, wrapper: [Self.program, mutant.layer])
    #expect(verdict.isBroken, "\(verdict)")
  }

  @Test(arguments: mutants, try Cases.present(Workshop.Host.available))
  func `is noticed by the probe`(mutant: Mutant, host: Workshop.Host) throws {
    guard let stage = mutant.probed, mutant.host ?? host == host else { return }
    let probe = SandboxProbe(
      launcher: Workshop.launcher, host: host.identity, wrapper: host.wrapper + [Self.program, mutant.layer],
      deadline: Workshop.patience)
    #expect(try probe.attempt(Workshop.capabilities(mutant.tier))?.stage == stage)
  }

  /// Programs of another user than root lose their capabilities when they are executed, so giving them up before is a
  /// second wall: nothing is open without it.
  @Test(arguments: try Cases.present(Workshop.Host.available))
  func `is as good as a whole one when another layer does the same`(host: Workshop.Host) throws {
    let attempt = try #require(Attempt.all.first { $0.name == "privilege/ids" })
    let verdict = try Workshop.targets(host, .full).judge(attempt, wrapper: [Self.program, "capabilities"])
    #expect(!verdict.isBroken, "\(verdict)")
  }

  @Test func `is a whole one when no layer is named`() throws {
    let probe = SandboxProbe(
      launcher: Workshop.launcher, host: Workshop.Host.available[0].identity, wrapper: [Self.program, "none"],
      deadline: Workshop.patience)
    #expect(try probe.attempt(Workshop.capabilities(.full)) == nil)
  }
}
