import AppExtensions
import ExtensionHosting
import HTTPServer
import HostServices
import NetworkServices
import Synchronization
import Testing

@testable import ExtensionTesting

/// Permissions that nothing is kept of.
@Suite(.timeLimit(.minutes(1)))
struct `A permission for one run` {
  private static let identity = Caller.Identity.testing(permissions: [`A permission`.network])

  /// A host whose user gives these answers, one after the other, and then none.
  private func host(_ answers: [Consent.Answer], in folder: TestFolder) -> (TestHost, PermissionAuthority) {
    let left = Mutex(answers)
    let authority = PermissionAuthority(
      state: folder.state,
      consent: .ask { _ in left.withLock { $0.isEmpty ? .dismissed : $0.removeFirst() } })
    return (TestHost(services: [PermissionService(authority)], permissions: authority), authority)
  }

  private func ask(_ context: ExtensionContext) async throws -> PermissionState {
    try await context.requestPermission("network", reason: "to look")
  }

  @Test func `holds in this run alone, not in one beside it, and not in the next`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let (host, authority) = host([.grantedOnce], in: folder)
    try await host.inWidget(as: Self.identity) { context in
      #expect(try await ask(context) == .granted)
      #expect(try await ask(context) == .granted, "without another question")
      #expect(authority.isPassing("network", for: Self.identity.id))
      let beside = try await host.inWidget(as: Self.identity) { try await ask($0) }
      #expect(beside == .undecided)
    }
    #expect(!authority.isPassing("network", for: Self.identity.id))
    let next = try await host.inWidget(as: Self.identity) { try await ask($0) }
    #expect(next == .undecided)
    #expect(authority.decided(for: Self.identity.id).isEmpty)
  }

  @Test func `or for a host holds in the next run too, until it is taken back, and in no other host`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let (host, authority) = host([.grantedForSession], in: folder)
    for _ in 0..<2 {
      #expect(try await host.inWidget(as: Self.identity) { try await ask($0) } == .granted)
    }
    #expect(authority.state(of: "network", for: Self.identity) == .granted)
    #expect(PermissionAuthority(state: folder.state).state(of: "network", for: Self.identity) == .undecided)
    let wider = AskedPermission("network", scope: ["api.example.com", "other.example"])
    #expect(authority.state(of: wider, for: Self.identity.id) == .undecided, "more than was agreed to")
    try await authority.decide(`A permission`.network, .undecided, for: Self.identity.id)
    #expect(try await host.inWidget(as: Self.identity) { try await ask($0) } == .undecided)
  }

  @Test func `gives way to a decision that is kept`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let (host, authority) = host([.grantedForSession], in: folder)
    #expect(try await host.inWidget(as: Self.identity) { try await ask($0) } == .granted)
    try await authority.decide(`A permission`.network, .denied, for: Self.identity.id)
    #expect(authority.state(of: "network", for: Self.identity) == .denied)
  }

  @Test func `or for a host is told to what runs already, and so is its end`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let local = AskedPermission("network", scope: ["127.0.0.1:*"])
    let identity = Caller.Identity.testing(permissions: [local])
    let left = Mutex<[Consent.Answer]>([.dismissed, .grantedForSession])
    let authority = PermissionAuthority(
      state: folder.state,
      consent: .ask { _ in left.withLock { $0.isEmpty ? .dismissed : $0.removeFirst() } })
    let host = TestHost(services: [PermissionService(authority), NetworkService()], permissions: authority)
    try await HTTPServer { _ in ServerResponse(text: "ok") }.withRunning { address in
      try await host.inWidget(as: identity) { beside in
        await #expect(throws: (any Error).self) { try await beside.fetch(address.url) }
        let asked = try await host.inWidget(as: identity) { try await ask($0) }
        #expect(asked == .granted)
        let answer = try await beside.fetch(address.url)
        #expect(answer.body.text == "ok" && beside.permissions.state(of: "network") == .granted)
        try await authority.decide(local, .undecided, for: identity.id)
        await #expect(throws: (any Error).self) { try await beside.fetch(address.url) }
        #expect(beside.permissions.state(of: "network") == .undecided)
      }
    }
  }
}
