import AppExtensions
import ExtensionHosting
import HTTPServer
import HostServices
import NetworkServices
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `Consent to the network` {
  private static let identity = Caller.Identity.testing(
    permissions: [AskedPermission("network", scope: ["127.0.0.1:*"])])

  /// What a fetch comes to for a user who has said something.
  private func refusal(
    _ state: PermissionState?, as identity: Caller.Identity = Self.identity
  ) async throws -> ExtensionError? {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    if let state {
      for permission in identity.permissions { try await authority.decide(permission, state, for: identity.id) }
    }
    let stage = Stage(services: [NetworkService()], permissions: authority)
    let kept = Kept<ExtensionError?>()
    return try await HTTPServer { _ in ServerResponse(text: "ok") }.withRunning { address in
      let peer = PeerProbe(work: { kept.keep(await $0.refusal("network/fetch", ["url": .string(address.url)])) })
      try await stage.withPeer(peer, identity: identity) { _ = try await $0.call(Ping(), deadline: .seconds(50)) }
      return try #require(kept.value)
    }
  }

  @Test func `is what opens it, and undecided is not denied`() async throws {
    #expect(try await refusal(.granted) == nil)
    let undecided = try #require(try await refusal(nil))
    #expect(undecided.code == .permissionDenied)
    #expect(undecided.details["permission"] == "network")
    #expect(undecided.details["state"] == "undecided")
    #expect(undecided.recovery == "Let the user grant it to com.example.test.extension, then call again.")
    #expect(undecided.details["extension"] == "com.example.test.extension")
    #expect(try await refusal(.denied)?.details["state"] == "denied")
  }

  /// The decision is kept, and the answer to the question not yet sent: what the extension knows is older.
  @Test(arguments: [(.granted, nil), (.denied, "denied"), (.dismissed, "undecided")] as [(Consent.Answer, String?)])
  func `counts for a call that overtakes the answer to the question`(
    answer: Consent.Answer, state: String?
  ) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state, consent: .ask { _ in answer })
    let stage = Stage(services: [NetworkService()], permissions: authority)
    let kept = Kept<ExtensionError?>()
    try await HTTPServer { _ in ServerResponse(text: "ok") }.withRunning { address in
      let peer = PeerProbe(work: { kept.keep(await $0.refusal("network/fetch", ["url": .string(address.url)])) })
      try await stage.withPeer(peer, identity: Self.identity) { process in
        _ = try await authority.request("network", reason: "", for: process.caller)
        _ = try await process.call(Ping(), deadline: .seconds(50))
      }
    }
    let refusal = try #require(kept.value)
    #expect(refusal?.details["state"]?.stringValue == state && (refusal == nil) == (state == nil))
  }

  @Test func `is asked for in the manifest first`() async throws {
    let refusal = try #require(try await refusal(.granted, as: .testing()))
    #expect(refusal.code == .permissionDenied)
    #expect(refusal.recovery?.contains("Annex.Network") == true)
  }

  @Test func `opens it to a keyboard only with open access`() async throws {
    let hosts = AskedPermission("network", scope: ["127.0.0.1:*"])
    let without = try #require(
      try await refusal(.granted, as: .testing(point: .keyboard, permissions: [hosts])))
    #expect(without.details["permission"] == "open-access")
    let both = Caller.Identity.testing(point: .keyboard, permissions: [hosts, AskedPermission("open-access")])
    #expect(try await refusal(.granted, as: both) == nil)
  }

  /// A peer that notes what comes from the host, in order.
  private struct Listener: MessageHandler {
    let probe: PeerProbe
    let heard: @Sendable (String) -> Void

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      if message.method == PermissionsDidChange.method {
        heard(try message.params.decode(PermissionsDidChange.self).state.rawValue)
      }
      return try probe.accept(message, on: connection)
    }
  }

  /// What a grant becomes when the user takes it back: `undecided` where the user forgets the decision, or where an
  /// update asks for more than was granted.
  private static let ends: [PermissionState] = [.denied, .undecided]

  @Test(arguments: ends)
  func `that is taken back is told first, and then ends what runs`(end: PermissionState) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    try await authority.decide(Self.identity.permissions[0], .granted, for: Self.identity.id)
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    let server = HTTPServer { _ in
      arrived.yield()
      await gate.wait()
      return ServerResponse(status: 500)
    }
    let order = Mutex<[String]>([])
    try await server.withRunning { address in
      defer { gate.open() }
      let probe = PeerProbe(work: { connection in
        let refusal = await connection.refusal("network/fetch", ["url": .string(address.url)])
        order.withLock { $0.append("\(refusal?.code.name ?? "-") \(refusal?.details["state"]?.stringValue ?? "-")") }
        let next = await connection.refusal("network/fetch", ["url": .string(address.url)])
        order.withLock { $0.append("\(next?.code.name ?? "-")") }
      })
      let listener = Listener(probe: probe) { state in order.withLock { $0.append(state) } }
      let stage = Stage(services: [NetworkService()], permissions: authority)
      try await stage.withPeer(listener, identity: Self.identity) { process in
        try await withThrowingTaskGroup(of: Void.self) { group in
          // Less than the fetch may take by itself.
          group.addTask { _ = try await process.call(Ping(), deadline: .seconds(20)) }
          for await _ in arrivals { break }
          // Another host, as far as the running one can tell.
          let other = PermissionAuthority(state: folder.state)
          try await other.decide(Self.identity.permissions[0], end, for: Self.identity.id)
          try await group.waitForAll()
        }
      }
    }
    #expect(order.withLock { $0 } == ["\(end)", "permissionDenied \(end)", "permissionDenied"])
  }

  @Test func `that is given while it runs holds at once`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    let host = TestHost(services: [NetworkService()], permissions: authority)
    let states = try await HTTPServer { _ in ServerResponse(text: "ok") }.withRunning { address in
      try await host.inWidget(as: Self.identity) { context in
        let before = context.permissions.state(of: "network")
        try await authority.decide(Self.identity.permissions[0], .granted, for: Self.identity.id)
        let answer = try await context.fetch(address.url)
        return (before, answer.body.text, context.permissions.state(of: "network"))
      }
    }
    #expect(states.0 == .undecided)
    #expect(states.1 == "ok")
    #expect(states.2 == .granted)
  }

  @Test(arguments: ends)
  func `to what the sandbox enforces cannot be taken from a process that runs`(end: PermissionState) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let permission = AskedPermission("jit")
    let identity = Caller.Identity.testing(entitlements: ["jit"], permissions: [permission])
    let authority = PermissionAuthority(state: folder.state)
    try await authority.decide(permission, .granted, for: identity.id)
    let stage = Stage(permissions: authority)
    let caught = await #expect(throws: ExtensionError.self) {
      try await stage.withPeer(PeerProbe(work: { _ in await waitForever() }), identity: identity) { process in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { _ = try await process.call(Ping(), deadline: .seconds(50)) }
          try await authority.decide(permission, end, for: identity.id)
          try await group.waitForAll()
        }
      }
    }
    #expect(caught?.code == .permissionDenied)
    #expect(caught?.message.contains("taken away while it ran") == true)
  }
}
