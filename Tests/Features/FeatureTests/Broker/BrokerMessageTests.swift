import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Synchronization
import Testing

/// The wire's own messages, and calls that want no answer or have no time.
@Suite(.timeLimit(.minutes(1)))
struct `A message to a broker` {
  /// Runs what a peer does after its handshake.
  private func withPeer(
    _ services: [any HostService] = [], log: any LogSink = NoLog(), entitlements: [String] = ["weather"],
    _ work: @escaping PeerProbe.Work
  ) async throws {
    let done = Kept<Bool>()
    let peer = PeerProbe(work: { connection in
      try await work(connection)
      done.keep(true)
    })
    try await Stage(services: services, log: log).withPeer(peer, identity: .testing(entitlements: entitlements)) {
      _ = try await $0.call(Ping())
    }
    #expect(done.value == true)
  }

  @Test(arguments: [Progress.method, Log.method]) func `is a notification where it has no answer`(method: String)
    async throws
  {
    try await withPeer { connection in
      for _ in 0..<2 {
        let error = await connection.refusal(method, ["level": "info", "message": "m"])
        #expect(error?.code == .invalidRequest && error?.message.contains(method) == true)
      }
    }
  }

  @Test func `that asks whether the host is alive has its word given back`() async throws {
    try await withPeer { connection in
      for params in [["nonce": "n-1"], ["nonce": "n-2"], [:]] as [JSONValue] {
        let answer = try await connection.call(Ping.method, params, returning: JSONValue.self, deadline: .seconds(30))
        #expect(answer["nonce"]?.stringValue == params["nonce"]?.stringValue && answer["uptimeMs"] != nil)
      }
    }
  }

  @Test(arguments: [-86_400_001, -1, 0] as [Int64]) func `has no time when its sender has none`(time: Int64)
    async throws
  {
    let service = WeatherService { _ in
      await waitForever()
      throw CancellationError()
    }
    try await withPeer([service]) { connection in
      let error = await connection.refusal(
        "weather/current", ["place": "Oslo", "_meta": ["deadlineMs": .integer(time)]])
      #expect(error?.code == .deadlineExceeded && error?.message == "weather/current took longer than 0.0 seconds.")
    }
  }

  @Test func `does nothing when it is refused, whether it wants an answer or not`() async throws {
    let asked = Mutex<[String]>([])
    let service = WeatherService { place in
      asked.withLock { $0.append(place) }
      return 1
    }
    try await withPeer([service], entitlements: []) { connection in
      for _ in 0..<2 {
        try await connection.notify("weather/current", ["place": "notified"] as JSONValue)
        let error = await connection.refusal("weather/current", ["place": "called"])
        #expect(error?.code == .permissionDenied)
      }
    }
    #expect(asked.withLock { $0 } == [])
    try await withPeer([service]) { connection in
      let error = await connection.refusal("weather/current", ["place": "allowed"])
      #expect(error == nil)
    }
    #expect(asked.withLock { $0 } == ["allowed"])
  }

  @Test func `that should not have come is told once, under the name of its sender`() async throws {
    let log = KeptLog()
    try await withPeer(log: log) { connection in
      for number in 1...3 as ClosedRange<Int64> {
        try await connection.notify("$/cancelRequest", ["id": .integer(number + 900)] as JSONValue)
      }
      _ = try await connection.call(Ping.method, [:] as JSONValue, returning: JSONValue.self, deadline: .seconds(30))
    }
    let lines = log.lines.filter { $0.message == "unexpected on the wire" }
    #expect(lines.map(\.level) == [.warning])
    #expect(
      lines.first?.metadata == [
        "extension.id": "com.example.test.extension", "wire.event": "It sent cancellations of nothing.",
      ])
  }
}
