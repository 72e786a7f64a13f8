import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A search for a tier` {
  private let machine = MachineIdentity(kernelRelease: "6.1", bootID: "boot")

  private func search(landlock: UInt32 = 7) -> ProbeSearch {
    ProbeSearch(landlockVersion: landlock, userID: 1000, machine: machine)
  }

  @Test func `starts with the best`() {
    #expect(search().candidate?.tier == .full)
    #expect(search(landlock: 0).candidate?.tier == .namespacesOnly)
  }

  @Test(arguments: LaunchStage.allCases, LaunchStage.allCases)
  func `ends, whatever fails`(first: LaunchStage, second: LaunchStage) {
    for landlock in [0, 1, 7] as [UInt32] {
      var search = search(landlock: landlock)
      var steps = 0
      var next = first
      while let candidate = search.candidate, steps < 20 {
        // Never without both: files would be open.
        #expect(candidate.landlockVersion > 0 || candidate.tier.facilities.contains(.mountNamespace))
        search.failed(LaunchFailure(stage: next, errorNumber: 1))
        next = next == first ? second : first
        steps += 1
      }
      #expect(steps < 8)
      #expect(search.failures.count == steps)
    }
  }

  @Test func `never gives up the list of system calls`() {
    var search = search()
    search.failed(LaunchFailure(stage: .seccomp, errorNumber: 22))
    #expect(search.candidate == nil)
    for tier in SandboxTier.allCases {
      #expect(tier.facilities.isSuperset(of: [.seccomp, .limits, .credentials]))
    }
  }

  @Test func `is valid for one kernel, one start and one user`() {
    let found = SandboxCapabilities(tier: .full, landlockVersion: 7, machine: machine, userID: 5)
    #expect(found.isCurrent(machine: machine, host: HostIdentity(userID: 5, groupID: 5)))
    #expect(!found.isCurrent(machine: machine, host: HostIdentity(userID: 6, groupID: 5)))
    let other = MachineIdentity(kernelRelease: "6.1", bootID: "other")
    #expect(!found.isCurrent(machine: other, host: HostIdentity(userID: 5, groupID: 5)))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A sandbox report` {
  @Test func `says what is missing, why, and what to do`() throws {
    let failure = LaunchFailure(stage: .userNamespace, errorNumber: 1)
    let found = SandboxCapabilities(tier: .light, landlockVersion: 4, failures: [failure])
    let report = SandboxReport(found, host: HostIdentity(userID: 1000, groupID: 1000))
    let missing = report.rows.filter { !$0.enforced }
    #expect(
      missing.map(\.layer) == [
        "files, own root", "user namespace", "processes", "own /proc", "network", "IPC, host name, control groups",
        "own user",
      ])
    #expect(missing[0].detail.contains("userNamespace"))
    #expect(missing.allSatisfy { $0.recovery?.isEmpty == false })
    #expect(!report.isComplete)
  }

  @Test(arguments: [(UInt32(1), 5), (3, 3), (5, 1), (6, 0), (7, 0)])
  func `names what a version of Landlock leaves to others`(version: UInt32, gaps: Int) throws {
    let report = SandboxReport(SandboxCapabilities(tier: .full, landlockVersion: version))
    let row = try #require(report.rows.first { $0.layer == "files, Landlock" })
    #expect(row.enforced && row.detail.contains("version \(version)"))
    #expect(row.detail.split(whereSeparator: { $0 == ";" || $0 == "," }).count == gaps + 1)
  }

  @Test func `says how memory, processor time and disk are watched`() {
    let found = SandboxCapabilities(tier: .full, landlockVersion: 7)
    let report = SandboxReport(found, host: HostIdentity(userID: 0, groupID: 0), control: .none)
    #expect(report.rows.last?.layer == "memory, processor time, disk")
    #expect(report.rows.last?.enforced == false && !report.isComplete)
  }

  @Test func `is complete for a root host with every layer`() {
    let found = SandboxCapabilities(tier: .full, landlockVersion: 7)
    #expect(SandboxReport(found, host: HostIdentity(userID: 0, groupID: 0)).isComplete)
  }
}
