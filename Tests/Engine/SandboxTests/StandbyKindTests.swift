import Testing

@testable import Sandbox

/// A launcher that waits has made something ahead: it takes only a policy that has all of it, for the same user.
@Suite(.timeLimit(.minutes(1)))
struct `What a launcher waits for` {
  private static let command = LaunchCommand(Launcher(path: "/launcher"))
  private static let ahead: SandboxFacilities = [.networkNamespace, .ipcNamespace, .utsNamespace]

  private func kind(
    _ facilities: SandboxFacilities, user: UInt32 = 5, group: UInt32 = 6, _ program: LaunchCommand = command
  ) -> StandbyLauncher.Kind? {
    StandbyLauncher.Kind(
      program,
      LaunchPlan.Contents(
        facilities: facilities, userID: user, groupID: group, landlockVersion: 0, executable: "/x",
        workingDirectory: "/", arguments: ["/x"], environment: [], paths: [], limits: []))
  }

  @Test func `is what is made ahead, and nothing that comes with the policy`() throws {
    let usual = try #require(kind(Self.ahead))
    #expect(usual.facilities == Self.ahead.rawValue)
    let later: [SandboxFacilities] = [
      .mountNamespace, .pidNamespace, .cgroupNamespace, .privateProc, .hostProc, .landlock, .execOnce, .seccomp,
      .limits, .credentials, .generatedCode, .admission,
    ]
    for facility in later { #expect(kind(Self.ahead.union(facility)) == usual, "\(facility)") }
    for facility: SandboxFacilities in [.networkNamespace, .ipcNamespace, .utsNamespace] {
      #expect(kind(Self.ahead.subtracting(facility)) != usual, "\(facility)")
    }
  }

  @Test func `is for one user and group where these have a namespace of their own`() throws {
    let users = Self.ahead.union(.userNamespace)
    #expect(kind(Self.ahead) == kind(Self.ahead, user: 7) && kind(Self.ahead) == kind(Self.ahead, group: 7))
    #expect(kind(Self.ahead) != kind(users) && kind(users) == kind(users))
    #expect(kind(users) != kind(users, user: 7) && kind(users) != kind(users, group: 7))
    #expect(kind(users, user: 5, group: 6) != kind(users, user: 6, group: 5))
    // Each app's user makes these namespaces itself.
    #expect(kind(users.union(.takeUser)) == nil)
  }

  @Test func `is of one program, through one wrapper`() {
    let wrapped = LaunchCommand(Launcher(path: "/launcher"), wrapper: ["/wrapper", "-a"])
    #expect(Self.command.program == "/launcher" && Self.command.arguments == ["/launcher"])
    #expect(wrapped.program == "/wrapper" && wrapped.arguments == ["/wrapper", "-a", "/launcher"])
    for other in [wrapped, LaunchCommand(Launcher(path: "/other"))] {
      #expect(kind(Self.ahead, other) != kind(Self.ahead) && kind(Self.ahead, other) == kind(Self.ahead, other))
    }
  }
}
