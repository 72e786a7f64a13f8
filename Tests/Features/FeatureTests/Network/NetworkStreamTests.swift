import AppExtensions
import ExtensionHosting
import HTTPServer
import HostServices
import NetworkServices
import JSON
import JSONRPC
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A request through the host whose answer is streamed` {
  private static let hosts = AskedPermission("network", scope: ["127.0.0.1:*"])
  /// More than all that waits anywhere between the server and the reader.
  private static let large: [UInt8] = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  private static func server(_ gate: Gate = Gate()) -> HTTPServer {
    HTTPServer { request in
      switch request.path {
      case "/away": return ServerResponse(status: 302, headers: [ServerField("Location", request.query ?? "")])
      case "/never":
        await gate.wait()
        return ServerResponse(status: 500)
      default: return ServerResponse(status: 203, headers: [ServerField("X-A", "1")], body: large)
      }
    }
  }

  /// Runs a closure inside a widget that may ask a server, whose URL it gets.
  private func inWidget<Value: Sendable>(
    _ body: @escaping @Sendable (ExtensionContext, String) async throws -> Value
  ) async throws -> Value {
    let host = TestHost(services: [NetworkService()], consent: .grant)
    let gate = Gate()
    return try await Self.server(gate).withRunning { address in
      defer { gate.open() }
      return try await host.inWidget(as: .testing(permissions: [Self.hosts])) { try await body($0, address.url) }
    }
  }

  /// What an answer ends with.
  private static func end(of answer: FetchedBytes) async -> ExtensionError? {
    var iterator = answer.makeAsyncIterator()
    do throws(ExtensionError) {
      while try await iterator.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test func `is read while it arrives`() async throws {
    let all = try await inWidget { context, url in
      let answer = try await context.fetchBytes("\(url)/away?/large")
      #expect(answer.status == 203)
      #expect(answer.headers["x-a"] == "1")
      #expect(answer.finalURL.hasSuffix("/large"))
      var all: [UInt8] = []
      for try await bytes in answer { all += bytes }
      return all
    }
    #expect(all == Self.large)
  }

  @Test func `has a body that only a reader of streams can have`() async throws {
    let error = try await inWidget { context, url in
      let answer = try await context.fetch(Network.Fetch(url: url, delivery: .stream))
      #expect(answer.bytes == nil)
      return #expect(throws: ExtensionError.self) { try context.bytes(of: answer) }
    }
    #expect(error?.recovery?.contains("fetchBytes") == true)
  }

  @Test func `has bounds for its size`() async throws {
    try await inWidget { context, url in
      let small = try await context.fetchBytes(url, maxBytes: 1000)
      let tooLarge = await Self.end(of: small)
      #expect(tooLarge?.code == .networkFailed)
      #expect(tooLarge?.details["kind"] == "tooLarge")
      let exact = try await context.fetchBytes(url, maxBytes: Self.large.count)
      let none = await Self.end(of: exact)
      #expect(none == nil)
      let refused = await #expect(throws: ExtensionError.self) {
        try await context.fetchBytes(url, maxBytes: Network.streamLimit + 1)
      }
      #expect(refused?.code == .limitExceeded)
    }
  }

  @Test func `has a bound for its time, whoever is slow`() async throws {
    try await inWidget { context, url in
      let unread = try await context.fetchBytes(Network.Fetch(url: url, timeoutMs: 200))
      let silent = await #expect(throws: ExtensionError.self) {
        try await context.fetchBytes(Network.Fetch(url: "\(url)/never", timeoutMs: 400))
      }
      #expect(silent?.details["kind"] == "timeout")
      let error = await Self.end(of: unread)
      #expect(error?.code == .networkFailed)
      #expect(error?.details["kind"] == "timeout")
    }
  }

  @Test(arguments: ["http://localhost:1/", "file:///etc/passwd", "https://example.com/"])
  func `is not led by a redirect to where it may not go`(target: String) async throws {
    let error = try await inWidget { context, url in
      await #expect(throws: ExtensionError.self) { try await context.fetchBytes("\(url)/away?\(target)") }
    }
    #expect(error?.details["kind"] == "redirect")
  }

  @Test func `sends no stream`() async throws {
    let error = try await inWidget { context, url in
      await #expect(throws: ExtensionError.self) {
        try await context.fetch(Network.Fetch(url: url, method: "POST", body: Network.Body(stream: "s1")))
      }
    }
    #expect(error?.code == .invalidParams)
  }

  @Test(arguments: [true, false])
  func `counts as open until it is read, given up or let go`(isCancelled: Bool) async throws {
    try await inWidget { context, url in
      var open: [FetchedBytes] = []
      for _ in 0..<NetworkService.mostInFlight { open.append(try await context.fetchBytes(url)) }
      let ninth = await #expect(throws: ExtensionError.self) { try await context.fetchBytes(url) }
      #expect(ninth?.code == .limitExceeded)
      if isCancelled { open[0].cancel() } else { open.removeFirst() }
      // The host hears of it in its own time.
      while true {
        do throws(ExtensionError) {
          _ = try await context.fetchBytes(url)
          return
        } catch {
          guard error.code == .limitExceeded else { throw error }
        }
      }
    }
  }

  @Test func `ends with the task that reads it`() async throws {
    let error = try await inWidget { context, url in
      let answer = try await context.fetchBytes(url)
      return try await withThrowingTaskGroup(of: ExtensionError?.self) { group in
        group.addTask { await Self.end(of: answer) }
        group.cancelAll()
        return try await group.next() ?? nil
      }
    }
    #expect(error?.code == .cancelled)
  }

  @Test(arguments: [
    (Caller.Identity.testing(permissions: [Self.hosts]), "network"),
    (Caller.Identity.testing(point: .keyboard, permissions: [Self.hosts, AskedPermission("open-access")]), "network"),
    (
      Caller.Identity.testing(point: .keyboard, permissions: [Self.hosts, AskedPermission("open-access")]),
      "open-access"
    ),
  ])
  func `ends in the middle when the consent is taken back`(identity: Caller.Identity, name: String) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    for permission in identity.permissions { try await authority.decide(permission, .granted, for: identity.id) }
    let taken = try #require(identity.permissions.first { $0.name == name })
    let kept = Kept<ErrorObject>()
    try await Self.server().withRunning { address in
      let peer = PeerProbe(work: { connection in
        let params: JSONValue = ["url": .string(address.url), "delivery": "stream"]
        let answer = try await connection.call(
          "network/fetch", params, returning: JSONValue.self, deadline: .seconds(30))
        let id = try #require(answer["body"]?["stream"]?.stringValue)
        var iterator = try connection.incomingStream(id).makeAsyncIterator()
        _ = try await iterator.next()
        try await authority.decide(taken, .denied, for: identity.id)
        do throws(ErrorObject) { while try await iterator.next() != nil {} } catch { kept.keep(error) }
      })
      // The host ends a keyboard whose open access is taken away.
      try? await Stage(services: [NetworkService()], permissions: authority).withPeer(peer, identity: identity) {
        _ = try await $0.call(Ping(), deadline: .seconds(50))
      }
    }
    let error = ExtensionError(try #require(kept.value))
    // A process that is ended may be gone before it hears why.
    if error.code == .peerExited, name == "open-access" { return }
    #expect(error.code == .permissionDenied)
    #expect(error.details["permission"] == .string(name))
    #expect(error.details["state"] == "denied")
  }
}
