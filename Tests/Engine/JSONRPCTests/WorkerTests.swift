import EventLoop
import Synchronization
import Testing

@testable import JSON
@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `A connection's worker` {
  @Test func `does many messages, and forgets that one of them was cancelled`() async throws {
    try await withPair { client, peer in
      for round in 0..<3 {
        let cancelled = Task {
          try await client.call("wait", [Int](), returning: JSONValue.self, deadline: .seconds(30))
        }
        await until { peer.gate.count == 1 }
        cancelled.cancel()
        let outcome = await cancelled.result
        #expect(throws: ErrorObject.self) { try outcome.get() }
        #expect(peer.heard.withLock { $0.cancelled } == round + 1)
        // The next one waits until it is let go, and so do others beside it.
        for number in 0..<20 {
          let result = try await client.call("number", [number], returning: Int.self, deadline: .seconds(30))
          #expect(result == number)
        }
      }
    }
  }

  @Test func `waits in its message while others are done`() async throws {
    try await withPair { client, peer in
      async let first = client.call("wait", [Int](), returning: JSONValue.self, deadline: .seconds(30))
      async let second = client.call("wait", [Int](), returning: JSONValue.self, deadline: .seconds(30))
      await until { peer.gate.count == 2 }
      let echoed = try await client.call("echo", Text(text: "x"), returning: Text.self, deadline: .seconds(30))
      #expect(echoed == Text(text: "x"))
      peer.gate.open()
      _ = try await (first, second)
    }
  }

  @Test func `has another one take the second of two messages while it waits in the first`() async throws {
    try await RawPeer.with { peer in
      for id in 1...2 {
        // One worker rests.
        try await peer.settle()
        await peer.send(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"wait"}"# + "\n"
            + #"{"jsonrpc":"2.0","id":9,"method":"number","params":[4]}"# + "\n")
        #expect(await peer.line() == #"{"jsonrpc":"2.0","id":9,"result":4}"#)
        await until { peer.handler.gate.count == id }
      }
      peer.handler.gate.open()
      #expect(try await Set([peer.value()?["id"], peer.value()?["id"]]) == [1, 2])
    }
  }

  @Test func `leaves no message behind that others wait before`() async throws {
    try await withPair { client, peer in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<60 {
          group.addTask {
            _ = try await client.call("wait", [Int](), returning: JSONValue.self, deadline: .seconds(30))
          }
        }
        await until { peer.gate.count == 60 }
        peer.gate.open()
        try await group.waitForAll()
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The ids of requests` {
  static let ids: [RequestID] = [.number(.min), .number(.max), .number(0), .string(""), .string("0")]

  @Test(arguments: ids) func `are known while they are used`(id: RequestID) {
    var requests = RequestStateMachine<String>(limit: 8)
    for other in Self.ids where other != id { _ = requests.begin(other) }
    #expect(requests.begin(id) == .accepted(slot: 4))
    #expect(requests.begin(id) == .duplicate)
    #expect(requests.count == 5)
    requests.finished(id, 4)
    #expect(requests.count == 4)
    #expect(requests.begin(id) == .accepted(slot: 4))
  }
}
