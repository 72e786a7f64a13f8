import AppExtensions
import ExtensionHosting
import HostServices
import Testing

@testable import ExtensionTesting

/// Who may write in the container of a group.
@Suite(.timeLimit(.minutes(1)))
struct `The container of a keyboard's group` {
  private static let group = "group.com.example.test"
  private static let asked = AskedPermission("open-access")

  @Test(
    arguments: [
      (true, .granted, .readWrite), (true, .denied, .readOnly), (true, nil, .readOnly), (false, .granted, .readOnly),
    ] as [(Bool, PermissionState?, Container.Mode)])
  func `may be written to with open access alone`(
    asks: Bool, state: PermissionState?, mode: Container.Mode
  ) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    let identity = Caller.Identity.testing(point: .keyboard, permissions: asks ? [Self.asked] : [])
    if let state { try await authority.decide(Self.asked, state, for: identity.id) }
    let services = [
      ContainerService(state: folder.state, permissions: authority), ContainerService(state: folder.state),
    ]
    for service in services {
      let peer = ScriptedPeer()
      try await Stage(services: [service]).withPeer(peer, identity: identity) { _ in
        for _ in 0..<2 {
          let answer = try await peer.call(Container.Path(group: Self.group))
          #expect(answer == .init(path: "\(folder.path)/groups/\(Self.group)", mode: mode))
        }
        #expect(try await peer.refusal(of: Container.Path(group: "group.com.example.other")) == .groupNotEntitled)
      }
    }
  }
}
