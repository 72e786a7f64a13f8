import Glibc
import Testing

@testable import Sandbox

/// What the report says of each layer, and which stage it blames.
@Suite(.timeLimit(.minutes(1)))
struct `A row of the sandbox report` {
  private static let user = HostIdentity(userID: 1_000, groupID: 1_000)
  private static let root = HostIdentity(userID: 0, groupID: 0)

  private func failure(_ stage: LaunchStage) -> LaunchFailure { LaunchFailure(stage: stage, errorNumber: EPERM) }

  private func rows(
    _ tier: SandboxTier, _ stages: LaunchStage..., host: HostIdentity = user,
    _ change: (inout SandboxCapabilities) -> Void = { _ in }
  ) -> [String: SandboxReport.Row] {
    var found = SandboxCapabilities(
      tier: tier, landlockVersion: 7, machine: MachineIdentity(kernelRelease: "6.1", bootID: "boot"), host: host,
      failures: stages.map(failure))
    change(&found)
    let rows = SandboxReport(found, host: host, control: .sampling).rows
    return Dictionary(rows.map { ($0.layer, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `blames the stage of its own layer before any other`() {
    let shared = rows(.sharedPID, .pidNamespace)
    #expect(
      shared["processes"]?.detail
        == "the process list and command lines can be seen, nothing can be done to them: \(failure(.pidNamespace))")
    #expect(shared["own /proc"]?.detail == "the host's /proc, read-only: \(failure(.pidNamespace))")
    #expect(shared["network"]?.enforced == true && shared["files, own root"]?.enforced == true)
    #expect(shared["user namespace"]?.detail == "the extension's own, with one user and no capability outside")
    let open = rows(.full, .networkNamespace) { $0.networkNamespace = false }
    #expect(open["network"]?.detail == "no socket can be made: \(failure(.networkNamespace))")
    #expect(open["network"]?.recovery == failure(.networkNamespace).recovery)
    #expect(open["IPC, host name, control groups"]?.detail == "namespaces of their own")
    let again = rows(.full, .execOnce) { $0.execOnce = false }
    #expect(
      again["no other program"]?.detail
        == "the extension could start its own program again, nothing else: \(failure(.execOnce))")
    let without = rows(.namespacesOnly, .landlock) { $0.landlockVersion = 0 }
    #expect(without["files, Landlock"]?.detail == "files are guarded by the own root alone: \(failure(.landlock))")
    #expect(without["processes"]?.detail == "sees no process but its own" && without["own /proc"]?.enforced == true)
  }

  @Test func `blames the first stage of the own root for what needs one`() {
    let light = rows(.light, .networkNamespace, .proc, .execOnce, .mounts, .root)
    for layer in ["files, own root", "user namespace", "IPC, host name, control groups"] {
      #expect(
        light[layer]?.enforced == false && light[layer]?.detail.hasSuffix(": \(failure(.mounts))") == true, "\(layer)")
      #expect(light[layer]?.recovery == failure(.mounts).recovery)
    }
    #expect(light["network"]?.detail == "no socket can be made: \(failure(.networkNamespace))")
    #expect(light["processes"]?.detail.hasSuffix(": \(failure(.proc))") == true)
    #expect(light["own /proc"]?.detail == "the host's /proc, by Landlock: \(failure(.proc))")
    #expect(
      rows(.light, .utsNamespace)["IPC, host name, control groups"]?.detail.hasSuffix(": \(failure(.utsNamespace))")
        == true)
  }

  @Test func `blames none that comes after the own root`() {
    for stage in [LaunchStage.credentials, .execOnce, .execute] {
      let light = rows(.light, stage)
      #expect(light["files, own root"]?.detail == "sizes and times of files can be seen, their contents cannot")
      #expect(
        light["files, own root"]?.recovery == nil && light["user namespace"]?.detail == "no namespaces without it")
      #expect(light["network"]?.detail == "no socket can be made")
      #expect(light["IPC, host name, control groups"]?.detail == "left to the list of calls")
    }
  }

  @Test func `needs no namespace of users for root, unless root may make no other`() {
    #expect(rows(.full, host: Self.root)["user namespace"]?.detail == "not needed: root makes the others itself")
    let inside = rows(.full, host: Self.root) { $0.userNamespace = true }
    #expect(inside["user namespace"]?.detail == "the extension's own, with one user and no capability outside")
    let light = rows(.light, host: Self.root)["user namespace"]
    #expect(light?.enforced == false && light?.detail == "no namespaces without it")
  }

  @Test func `tells whose user an extension has`() {
    let root = rows(.full, host: Self.root)["own user"]
    #expect(root?.enforced == true && root?.recovery == nil)
    let user = rows(.full)["own user"]
    #expect(
      user?.enforced == false
        && user?.detail == "extensions run as the host's user 1000, kept apart by the other layers")
    #expect(user?.recovery?.hasPrefix("Run the host as root: ") == true)
    let weak = rows(.full, host: HostIdentity(userID: 0, groupID: 0, isRoot: false))["own user"]
    #expect(weak?.enforced == false && weak?.recovery?.hasPrefix("This root has no other users to give: ") == true)
  }

  #if arch(x86_64)
    @Test func `counts the system call with the number 0, which reads`() {
      #expect(SystemCallList.allowed.first == 0)
      #expect(Set(SystemCallList.allowed).count == SystemCallList.allowed.count)
    }
  #endif
}
