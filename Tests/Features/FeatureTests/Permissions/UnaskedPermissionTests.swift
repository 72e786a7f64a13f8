import ExtensionHosting
import HostServices
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A permission that no manifest asks for` {
  @Test func `is denied, also where what is undecided counts as granted`() throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state, consent: .grant)
    #expect(authority.state(of: "network", for: .testing()) == .denied)
  }
}
