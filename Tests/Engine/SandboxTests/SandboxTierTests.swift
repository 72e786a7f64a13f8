import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A tier of the sandbox` {
  private let machine = MachineIdentity(kernelRelease: "6.1", bootID: "boot")

  @Test(arguments: [
    (SandboxTier.full, [SandboxTier.full, .sharedPID, .namespacesOnly, .light]), (.sharedPID, [.sharedPID, .light]),
    (.namespacesOnly, [.namespacesOnly]), (.light, [.light]),
  ])
  func `may be lowered to what the machine offers, and to nothing else`(tier: SandboxTier, offered: [SandboxTier])
    throws
  {
    let found = SandboxCapabilities(tier: tier, landlockVersion: 7)
    #expect(found.offeredTiers == offered)
    for other in SandboxTier.allCases {
      guard offered.contains(other) else {
        let error = #expect(throws: SandboxError.self) { try found.lowered(to: other) }
        #expect(error?.code == .sandboxUnavailable)
        #expect(error?.recovery == "It offers \(offered.map(\.rawValue).joined(separator: ", ")).")
        continue
      }
      let lowered = try found.lowered(to: other)
      #expect(lowered.tier == other && lowered.landlockVersion == (other == .namespacesOnly ? 0 : 7))
    }
  }

  @Test func `is better than another by what it keeps apart`() {
    #expect(SandboxTier.allCases.shuffled().sorted() == [.light, .namespacesOnly, .sharedPID, .full])
    #expect(SandboxTier.minimum == .light && !(SandboxTier.full < .full))
  }

  @Test func `leaves out what the machine lacks`() {
    let user = HostIdentity(userID: 1_000, groupID: 1_000)
    let root = HostIdentity(userID: 0, groupID: 0)
    func facilities(_ host: HostIdentity, _ change: (inout SandboxCapabilities) -> Void) -> SandboxFacilities {
      var found = SandboxCapabilities(tier: .full, landlockVersion: 7, machine: machine, host: host)
      change(&found)
      return found.facilities(for: host)
    }
    let full = SandboxTier.full.facilities
    #expect(facilities(root) { _ in } == full && facilities(user) { _ in } == full.union(.userNamespace))
    #expect(facilities(root) { $0.userNamespace = true } == full.union([.userNamespace, .takeUser]))
    #expect(facilities(root) { $0.landlockVersion = 0 } == full.subtracting(.landlock))
    #expect(facilities(root) { $0.landlockVersion = 1 } == full)
    #expect(facilities(root) { $0.execOnce = false } == full.subtracting(.execOnce))
    #expect(facilities(root) { $0.networkNamespace = false } == full.subtracting(.networkNamespace))
    #expect(facilities(user) { $0.tier = .light } == SandboxTier.light.facilities)
  }

  @Test func `is given up step by step, the least first and each once`() {
    func tried(_ stages: LaunchStage..., landlock: UInt32 = 7, user: UInt32 = 1_000) -> SandboxCapabilities? {
      var search = ProbeSearch(
        landlockVersion: landlock, host: HostIdentity(userID: user, groupID: user), machine: machine)
      for stage in stages { search.failed(LaunchFailure(stage: stage, errorNumber: 1)) }
      #expect(search.failures.map(\.stage) == stages)
      if let candidate = search.candidate { #expect(candidate.failures == search.failures) }
      return search.candidate
    }
    #expect(tried(.networkNamespace)?.networkNamespace == false && tried(.networkNamespace)?.tier == .full)
    #expect(tried(.networkNamespace, .networkNamespace) == nil)
    #expect(
      tried(.execOnce)?.execOnce == false && tried(.execOnce)?.tier == .full && tried(.execOnce, .execOnce) == nil)
    #expect(tried(.landlock)?.tier == .namespacesOnly && tried(.landlock)?.landlockVersion == 0)
    #expect(tried(.landlock, .landlock) == nil)
    #expect(tried(.pidNamespace)?.tier == .sharedPID && tried(.proc)?.tier == .sharedPID)
    #expect(tried(.pidNamespace, .pidNamespace) == nil && tried(.proc, .proc)?.tier == .light)
    #expect(tried(.userNamespace)?.tier == .light && tried(.root)?.tier == .light && tried(.mounts)?.tier == .light)
    #expect(tried(.mountNamespace)?.tier == .light && tried(.mountNamespace)?.userNamespace == false)
    #expect(tried(.mountNamespace, user: 0)?.tier == .full)
    #expect(tried(.mountNamespace, .mountNamespace, user: 0)?.tier == .light)
    #expect(tried(.userNamespace, .userNamespace) == nil)
    // Without Landlock nothing is left below it.
    #expect(tried(.userNamespace, landlock: 0) == nil && tried(.landlock, .mounts) == nil)
    for stage: LaunchStage in [.seccomp, .credentials, .limits, .execute, .descriptors, .policy, .workingDirectory] {
      #expect(tried(stage) == nil, "\(stage)")
    }
  }

  @Test func `is not kept beyond the kernel that it was found on`() {
    let host = HostIdentity(userID: 5, groupID: 5)
    let found = SandboxCapabilities(tier: .full, landlockVersion: 7, machine: machine, host: host)
    let newer = MachineIdentity(kernelRelease: "6.2", bootID: "boot")
    #expect(found.isCurrent(machine: machine, host: host) && !found.isCurrent(machine: newer, host: host))
    let unknown = MachineIdentity(kernelRelease: "6.1", bootID: "")
    let blind = SandboxCapabilities(tier: .full, landlockVersion: 7, machine: unknown, host: host)
    #expect(!blind.isCurrent(machine: unknown, host: host))
  }

  @Test func `has users of extensions only where one range of numbers has them all`() {
    let users = HostIdentity.extensionUsers
    for (map, isWhole) in [
      ("0 0 2147483648", true), ("0 0 2147483647", false), ("1879048192 0 268435456", true),
      ("1879048193 0 268435455", false), ("1879048192 0 268435455", false), ("0 0 1\n1879048192 5 268435456\n", true),
      ("1879048192 0 1 9", false),
    ] {
      #expect(IdentifierMap(Array(map.utf8)).contains(users) == isWhole, "\(map)")
    }
    #expect(HostIdentity(userID: 0, groupID: 0).innerUserID == 65_534)
    #expect(HostIdentity(userID: 0, groupID: 5).innerGroupID == 5)
    #expect(HostIdentity(userID: 1, groupID: 0).innerGroupID == 65_534)
    #expect(HostIdentity(userID: 1, groupID: 0).innerUserID == 1)
  }

  @Test func `that failed advises its user by what was refused`() {
    func advice(_ stage: LaunchStage, _ error: Int32) -> String {
      LaunchFailure(stage: stage, errorNumber: error).recovery
    }
    for stage in LaunchStage.allCases {
      let isReach = [.workingDirectory, .landlock, .execute].contains(stage)
      #expect(advice(stage, EACCES).contains("folders that only their owner may enter") == isReach, "\(stage)")
      #expect(advice(stage, EPERM) == stage.recovery)
      let failure = LaunchFailure(stage: stage, errorNumber: EPERM)
      let isNamespace = (LaunchStage.userNamespace.rawValue...LaunchStage.cgroupNamespace.rawValue).contains(
        stage.rawValue)
      let root = failure.recovery(for: HostIdentity(userID: 0, groupID: 0))
      #expect(root.contains("CAP_SYS_ADMIN") == isNamespace, "\(stage)")
      #expect(failure.recovery(for: HostIdentity(userID: 1, groupID: 0)) == stage.recovery)
    }
    #expect(LaunchFailure(stage: .seccomp, errorNumber: 0).description == "stage seccomp did not hold")
    #expect(SandboxError.system("x", EMFILE).code == .lacksDescriptors)
    #expect(SandboxError.system("x", ENFILE).code == .lacksDescriptors && SandboxError.system("x", EIO).code == .system)
  }
}
