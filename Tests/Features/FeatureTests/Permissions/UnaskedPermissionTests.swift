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

  @Test func `is that of an app group which only looks like one that it names`() throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state, consent: .grant)
    let identity = Caller.Identity.testing(groups: ["group.com.example.K"])
    let registry = ExtensionRegistry(RegistrySources())
    #expect(authority.refusal(ofGroup: "group.com.example.K", to: identity, in: registry) == nil)
    let other = authority.refusal(ofGroup: "group.com.example.\u{212A}", to: identity, in: registry)
    #expect(other?.code == .groupNotEntitled)
  }
}
