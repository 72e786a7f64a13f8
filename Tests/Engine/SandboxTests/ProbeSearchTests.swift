import CLaunchPolicy
import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A search for a tier` {
  private let machine = MachineIdentity(kernelRelease: "6.1", bootID: "boot")

  private func search(landlock: UInt32 = 7, user: UInt32 = 1000) -> ProbeSearch {
    ProbeSearch(landlockVersion: landlock, host: HostIdentity(userID: user, groupID: user), machine: machine)
  }

  @Test func `starts with the best`() {
    #expect(search().candidate?.tier == .full)
    #expect(search(landlock: 0).candidate?.tier == .namespacesOnly)
  }

  @Test(arguments: LaunchStage.allCases, LaunchStage.allCases)
  func `ends, whatever fails`(first: LaunchStage, second: LaunchStage) {
    for (landlock, user) in [(0, 0), (1, 1000), (7, 0), (7, 1000)] as [(UInt32, UInt32)] {
      var search = search(landlock: landlock, user: user)
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
    let found = SandboxCapabilities(
      tier: .full, landlockVersion: 7, machine: machine, host: HostIdentity(userID: 5, groupID: 5))
    #expect(found.isCurrent(machine: machine, host: HostIdentity(userID: 5, groupID: 5)))
    #expect(!found.isCurrent(machine: machine, host: HostIdentity(userID: 6, groupID: 5)))
    let other = MachineIdentity(kernelRelease: "6.1", bootID: "other")
    #expect(!found.isCurrent(machine: other, host: HostIdentity(userID: 5, groupID: 5)))
    #expect(!found.isCurrent(machine: machine, host: HostIdentity(userID: 5, groupID: 5, rights: "user:[1] 0")))
  }

  @Test func `has a root that may make no namespaces make them inside of one of users`() {
    var search = search(user: 0)
    search.failed(LaunchFailure(stage: .mountNamespace, errorNumber: 1))
    let found = search.candidate
    #expect(found?.tier == .full && found?.userNamespace == true)
    let root = HostIdentity(userID: 0, groupID: 0)
    #expect(found?.facilities(for: root).isSuperset(of: [.userNamespace, .takeUser, .mountNamespace]) == true)
    search.failed(LaunchFailure(stage: .userNamespace, errorNumber: 1))
    #expect(search.candidate?.tier == .light)
    #expect(search.candidate?.facilities(for: root).isDisjoint(with: [.userNamespace, .takeUser]) == true)
  }

  @Test func `is for a root that has every user of extensions, and not for one with a few`() {
    let users = HostIdentity.extensionUsers
    #expect(IdentifierMap(Array("         0          0 4294967295\n".utf8)).contains(users))
    for map in ["", "0 1000 1\n", "0 100000 65536\n", "0 0 2147483640\n", "x 0 4294967295\n", "0 0 0\n"] {
      #expect(!IdentifierMap(Array(map.utf8)).contains(users), "\(map)")
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A look at a sandbox from the inside` {
  @Test func `blames the first layer that was asked for and is missing`() {
    let layers: [(missing: launch_self_check, facility: SandboxFacilities, stage: LaunchStage)] = [
      (LAUNCH_MISSING_SECCOMP, .seccomp, .seccomp), (LAUNCH_MISSING_EXEC_ONCE, .execOnce, .execOnce),
      (LAUNCH_MISSING_CREDENTIALS, .credentials, .credentials), (LAUNCH_MISSING_LANDLOCK, .landlock, .landlock),
      (LAUNCH_MISSING_OWN_ROOT, .mountNamespace, .root), (LAUNCH_MISSING_LIMITS, .limits, .limits),
      (LAUNCH_MISSING_PID_NAMESPACE, .pidNamespace, .pidNamespace),
      (LAUNCH_MISSING_NAMESPACE, .networkNamespace, .networkNamespace),
      (LAUNCH_MISSING_NAMESPACE, .ipcNamespace, .ipcNamespace),
    ]
    var asked = SandboxTier.full.facilities
    for layer in layers {
      let failure = LaunchFailure(stage: layer.stage, errorNumber: 0)
      #expect(SandboxProbe.failure(missing: .max, asked) == failure)
      #expect(SandboxProbe.failure(missing: layer.missing.rawValue, layer.facility) == failure)
      #expect(SandboxProbe.failure(missing: ~layer.missing.rawValue, layer.facility) == nil)
      #expect(SandboxProbe.failure(missing: layer.missing.rawValue, asked) == failure)
      asked.remove(layer.facility)
    }
    #expect(SandboxProbe.failure(missing: .max, asked) == nil)
  }

  @Test func `fails where nothing was seen from there, and where something was told after it`() {
    let silence = LaunchFailure(stage: .execute, errorNumber: ETIMEDOUT)
    for ends: [LaunchStatus] in [[], [.ended(.signalled(number: 9))], [.ended(.lost)]] {
      #expect(SandboxProbe.failure([.executed] + ends, .seccomp) == silence)
    }
    let seen: [LaunchStatus] = [.executed, .ended(.exited(code: 1))]
    #expect(SandboxProbe.failure(seen, .seccomp) == LaunchFailure(stage: .seccomp, errorNumber: 0))
    #expect(SandboxProbe.failure(seen, .landlock) == nil)
    let late = LaunchFailure(stage: .session, errorNumber: EPERM)
    #expect(SandboxProbe.failure(seen + [.launchFailed(late)], .landlock) == late)
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
