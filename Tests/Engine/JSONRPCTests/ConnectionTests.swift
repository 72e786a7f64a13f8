import JSON
import EventLoop
import JSONRPC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A connection` {
  @Test(arguments: Framing.allCases) func `answers a call`(framing: Framing) async throws {
    try await withPair(.init(framing: framing)) { client, _ in
      let answer = try await client.call("echo", Text(text: "Grüße\n"), returning: Text.self, deadline: .seconds(5))
      #expect(answer == Text(text: "Grüße\n"))
    }
  }

  @Test func `carries large params and results whole`() async throws {
    try await withPair(.init(framing: .contentLength)) { client, _ in
      let text = Text(text: String(repeating: "x", count: 3 << 20))
      let answer = try await client.call("echo", text, returning: Text.self, deadline: .seconds(20))
      #expect(answer == text)
    }
  }

  @Test func `answers many calls at once`() async throws {
    try await withPair { client, _ in
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<60 {
          group.addTask { try await client.call("number", [index], returning: Int.self, deadline: .seconds(5)) }
        }
        return try await group.reduce(0, +)
      }
      #expect(sum == (0..<60).reduce(0, +))
    }
  }
}
