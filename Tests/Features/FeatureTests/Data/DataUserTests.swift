import JSONRPC
import DataConnectEmulator
import EventLoop
import HTTPServer
import IdentityServer
import JSON
import Synchronization
import Testing
import TokenBroker
import WebSocket

@testable import HostServices
@testable import DataServices
@testable import IdentityServices

/// Over a server of this process that answers each subscription, and what it is asked by `push()`.
@Suite(.timeLimit(.minutes(1)))
struct `The user of a subscription` {
  /// What a subscription came to.
  private final class Listener: Sendable {
    let results = Mutex(0)
    let news = Signal()

    func wait(for count: Int) async throws {
      while true {
        let seen = news.count
        if results.withLock({ $0 }) >= count { return }
        try await news.wait(past: seen)
      }
    }
  }

  private struct Place {
    let signedIn: SignedInHost
    let carrier: ClientCarrier
    /// What clients have sent.
    let frames: AsyncStream<JSONValue>

    /// Follows as the user of an account until that ends.
    func follow(_ listener: Listener, account: String? = nil) async -> ExtensionError? {
      let call = DataCall(
        app: "com.example.test", service: "movies", connector: "default", location: "us-east4",
        operation: "listMovies", kind: .query, variables: [:], fetchPolicy: .preferCache, cache: nil, emulator: nil,
        account: account)
      do {
        try await carrier.follow(call) { _ in
          listener.results.withLock { $0 += 1 }
          listener.news.send()
        }
        return nil
      } catch {
        return error as? ExtensionError
      }
    }

    /// Waits until the server hears that the subscription is over.
    func serverIsTold() async {
      for await frame in frames where frame["cancel"] != nil { return }
    }
  }

  private func run(_ body: (Place) async throws -> Void) async throws {
    let (frames, received) = AsyncStream.makeStream(of: JSONValue.self)
    let server = HTTPServer { request in
      .webSocket(answering: request) { connection in
        while case .text(let text)? = try? await connection.receive() {
          guard let frame = try? JSONValue(parsing: text) else { continue }
          received.yield(frame)
          guard frame["subscribe"] != nil else { continue }
          let result: JSONValue = ["result": ["requestId": frame["requestId"] ?? .null, "data": ["movies": []]]]
          try? await connection.send(text: result.description)
        }
      }
    }
    try await SignedInHost.run(change: { $0.users[1].password = $0.users[0].password }) { signedIn in
      try await server.withRunning { address in
        let carrier = ClientCarrier(
          DataServer(project: "demo", host: "127.0.0.1", port: address.port, isSecure: false), cacheFolder: nil,
          identities: signedIn.identities)
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          group.addTask { try await carrier.run() }
          try await body(Place(signedIn: signedIn, carrier: carrier, frames: frames))
        }
      }
    }
  }

  @Test(arguments: [nil, "ada@example.com"])
  func `signs out, and it is over`(account: String?) async throws {
    try await run { place in
      try await place.signedIn.signIn()
      let listener = Listener()
      async let end = place.follow(listener, account: account)
      try await listener.wait(for: 1)
      _ = try await place.signedIn.identities.broker(for: "com.example.test").signOut(account)
      #expect(await end?.code == .interactionRequired)
      await place.serverIsTold()
    }
  }

  @Test func `signs out in another process, and it is over`() async throws {
    try await run { place in
      try await place.signedIn.signIn()
      let listener = Listener()
      async let end = place.follow(listener)
      try await listener.wait(for: 1)
      // As another process has them: nothing but the files is shared.
      let others = IdentityBook(state: place.signedIn.state, settings: place.signedIn.settings)
      _ = try await others.broker(for: "com.example.test").signOut()
      #expect(await end?.code == .interactionRequired)
      await place.serverIsTold()
    }
  }

  @Test func `is another one from now on, and it is over`() async throws {
    try await run { place in
      try await place.signedIn.signIn()
      let listener = Listener()
      async let end = place.follow(listener)
      try await listener.wait(for: 1)
      try await place.signedIn.signIn(as: "bob@example.com")
      #expect(await end?.code == .interactionRequired)
      let next = Listener()
      async let again = place.follow(next)
      try await next.wait(for: 1)
      _ = try await place.signedIn.identities.broker(for: "com.example.test").signOut()
      #expect(await again?.code == .interactionRequired)
    }
  }

  @Test func `was nobody, and somebody signs in`() async throws {
    try await run { place in
      let listener = Listener()
      async let end = place.follow(listener)
      try await listener.wait(for: 1)
      try await place.signedIn.signIn()
      #expect(await end?.code == .interactionRequired)
    }
  }
}
