import JSONRPC
import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import Testing

@testable import ExtensionTesting

/// What an extension waits for at its host.
@Suite(.timeLimit(.minutes(1)))
struct `A call that waits for the host` {
  /// Documents that are given when the test says so; giving one back takes for ever.
  private struct SlowDocuments: HostService {
    typealias Contract = FileProvider
    let given: AsyncStream<Void>

    @HandlerBuilder var handlers: [Handler] {
      Handler(FileProvider.WritePlaceholder.self) { params, _ in .init(placeholderPath: params.path) }
      Handler(FileProvider.Coordinate.self) { params, _ in
        for await _ in given { break }
        try Task.checkCancellation()
        return .init(token: "1", path: params.path)
      }
      Handler(FileProvider.Uncoordinate.self) { _, _ in
        await waitForever()
        try Task.checkCancellation()
        return Empty()
      }
    }
  }

  private static let identity = Caller.Identity.testing(point: .fileProvider)
  private static let coordinate: JSONValue = ["path": "a.txt", "intent": "read"]

  @Test func `for a document ends with the wait, not with the deadline of other calls`() async throws {
    let (given, give) = AsyncStream.makeStream(of: Void.self)
    var stage = Stage(services: [SlowDocuments(given: given)])
    stage.deadlines.service = .milliseconds(20)
    let outcomes = Kept<[ExtensionError?]>()
    let peer = PeerProbe(work: { connection in
      async let waiting = connection.refusal("provider/coordinate", Self.coordinate)
      let other = await connection.refusal("provider/uncoordinate", ["token": "1"])
      give.yield()
      outcomes.keep([other, await waiting])
    })
    try await stage.withPeer(peer, identity: Self.identity) { _ = try await $0.call(Ping()) }
    let found = try #require(outcomes.value)
    #expect(found[0]?.code == .deadlineExceeded && found[1] == nil, "\(found)")
  }

  @Test func `for a document ends when the caller would wait no longer`() async throws {
    let (given, give) = AsyncStream.makeStream(of: Void.self)
    let stage = Stage(services: [SlowDocuments(given: given)])
    let outcome = Kept<ExtensionError?>()
    let peer = PeerProbe(work: { connection in
      let params: JSONValue = ["path": "a.txt", "intent": "read", "_meta": ["deadlineMs": 20]]
      outcome.keep(await connection.refusal("provider/coordinate", params))
      give.finish()
    })
    try await stage.withPeer(peer, identity: Self.identity) { _ = try await $0.call(Ping()) }
    #expect(try #require(outcome.value)?.code == .deadlineExceeded)
  }

  @Test func `is no silence of the extension`() async throws {
    let gate = Gate()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let weather = WeatherService { _ in
      begin.yield()
      await gate.wait()
      return 1
    }
    let entitled = Caller.Identity.testing(entitlements: ["weather"])
    let answered = Gate()
    let peer = PeerProbe(work: { connection in
      _ = await connection.refusal("weather/current", ["place": "Oslo"])
      answered.open()
    })
    try await Stage(services: [weather]).withPeer(peer, identity: entitled) { waiting in
      async let ping = waiting.call(Ping())
      for await _ in began { break }
      async let served: Void = waiting.within(.milliseconds(10)) {
        await answered.wait()
      } timeout: {
        ExtensionError(.deadlineExceeded, "It was taken for silent.")
      }
      // One that says nothing and waits for nothing is given up meanwhile, though it has longer.
      let silent = await #expect(throws: ExtensionError.self) {
        try await Stage().withPeer(PeerProbe()) { process in
          try await process.within(.milliseconds(50)) {
            await waitForever()
          } timeout: {
            ExtensionError(.deadlineExceeded, "It is silent.")
          }
        }
      }
      #expect(silent?.message == "It is silent.")
      gate.open()
      try await served
      _ = try await ping
    }
  }
}
