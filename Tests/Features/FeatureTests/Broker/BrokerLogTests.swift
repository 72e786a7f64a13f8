import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import Synchronization
import Testing

@testable import ExtensionTesting

/// What the host's log has of calls that a broker refuses.
@Suite(.timeLimit(.minutes(1)))
struct `The log of a broker` {
  /// Calls and notifies a method three times; the methods that the log calls refused, each with the reason.
  private func refused(
    _ method: String, allowing entitlements: [String] = []
  ) async throws -> [[String: JSONValue]] {
    let log = KeptLog()
    let peer = PeerProbe(work: { connection in
      for _ in 0..<3 {
        _ = await connection.refusal(method, ["place": "Oslo"])
        try await connection.notify(method, ["place": "Oslo"] as JSONValue)
      }
      // What was notified has been looked at by now.
      _ = await connection.refusal(Ping.method, [:])
    })
    try await Stage(services: [WeatherService { _ in 1 }], log: log)
      .withPeer(peer, identity: .testing(entitlements: entitlements)) { _ = try await $0.call(Ping()) }
    let lines = log.lines.filter { $0.message == "refused" }
    #expect(lines.allSatisfy { $0.level == .notice && $0.metadata["why"]?.stringValue?.isEmpty == false })
    return lines.map(\.metadata)
  }

  @Test func `says once of a method of the host that an extension may not call it`() async throws {
    let lines = try await refused("weather/current")
    #expect(lines.map { $0["rpc.method"] } == ["weather/current"])
    #expect(lines.first?["extension.id"] == "com.example.test.extension")
    #expect(try await refused("weather/current", allowing: ["weather"]).isEmpty)
  }

  /// A peer could name any number of them: none is remembered.
  @Test func `says each time of a method that nobody serves that there is none`() async throws {
    let lines = try await refused("weather/tomorrow", allowing: ["weather"])
    #expect(lines.map { $0["rpc.method"] } == Array(repeating: "weather/tomorrow", count: 6))
    #expect(lines.allSatisfy { $0["why"] == "This host does not serve weather/tomorrow." })
  }
}
