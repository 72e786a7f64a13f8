import JSONRPC
import Glibc
import HTTPClient
import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct `An emulator that may have few descriptors` {
  private static let stream = """
    GET /ws/google.firebase.dataconnect.v1.ConnectorStreamService.Connect/demo/locations/us-east4/services/movies HTTP/1.1\r
    Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r\n\r\n
    """

  /// Asks for so many streams one after the other, which stay, and calls while they are there.
  ///
  /// - Returns: the status that each was answered with.
  private func statuses(_ count: Int, of stage: EmulatorStage) async throws -> [String] {
    let port = try #require(stage.url.split(separator: ":").last.flatMap { Int($0) })
    var clients: [RawClient] = []
    var statuses: [String] = []
    for _ in 0..<count {
      let client = try RawClient(port: port)
      client.send(Self.stream)
      clients.append(client)
      let answer = client.hasAnswered(within: 20_000) ? client.received(silence: 0) : ""
      statuses.append(String(answer.dropFirst("HTTP/1.1 ".count).prefix(3)))
    }
    for title in ["A", "B"] {
      let made = try await stage.execute(
        "mutation($t: String!) { movie_insert(data: {title: $t, imageUrl: \"\"}) }", ["t": .string(title)])
      #expect(made["errors"] == nil, "\(made)")
    }
    withExtendedLifetime(clients) {}
    return statuses
  }

  @Test func `takes as many as the system lets it, whatever the shell says`() async throws {
    let stage = try await EmulatorStage("--ephemeral", preparedBy: "ulimit -Sn 64")
    #expect(try await Set(statuses(300, of: stage)) == ["101"])
    try await stage.end()
  }

  @Test func `refuses those that are too many, and serves the others`() async throws {
    let stage = try await EmulatorStage("--ephemeral", preparedBy: "ulimit -n 256")
    #expect(try await stage.emulator.hear("256 descriptors").contains("ulimit -Hn"))
    let statuses = try await statuses(300, of: stage)
    let taken = statuses.count { $0 == "101" }
    #expect(taken > 60 && taken < 200 && statuses[..<taken].allSatisfy { $0 == "101" }, "\(statuses)")
    #expect(statuses[taken...].allSatisfy { $0 == "503" }, "\(statuses)")
    try await stage.end()
  }

  @Test func `serves the others while more say nothing than it has descriptors`() async throws {
    let stage = try await EmulatorStage("--ephemeral", preparedBy: "ulimit -n 256")
    let port = try #require(stage.url.split(separator: ":").last.flatMap { Int($0) })
    let silent = try (0..<300).map { _ in try RawClient(port: port) }
    let statuses = try await statuses(300, of: stage)
    let taken = statuses.count { $0 == "101" }
    #expect(taken > 60 && Set(statuses[..<taken]) == ["101"] && Set(statuses[taken...]) == ["503"], "\(statuses)")
    withExtendedLifetime(silent) {}
    try await stage.end()
  }
}
