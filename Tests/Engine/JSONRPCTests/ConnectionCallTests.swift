import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A call` {
  @Test func `fails with the peer's error as it is`() async throws {
    try await withPair { client, _ in
      await #expect(throws: ErrorObject.methodNotFound("nothing")) {
        try await client.call("nothing", Text(text: ""), returning: Text.self, deadline: .seconds(5))
      }
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("fail", Text(text: ""), returning: Text.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.handlerFailedCode)
    }
  }

  @Test func `names the member of the params that is wrong`() async throws {
    try await withPair { client, _ in
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("echo", ["text": 5], returning: Text.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.invalidParamsCode)
      #expect(error?.data?["path"] == "text")
      #expect(error?.message.contains("text: ") == true)
    }
  }

  @Test func `fails when the result has another shape`() async throws {
    try await withPair { client, _ in
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("number", [1], returning: Text.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.protocolViolationCode)
    }
  }

  @Test func `ends at its deadline, and a late answer is only counted`() async throws {
    try await withPair { client, peer in
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("stubborn", Text(text: ""), returning: JSONValue.self, deadline: .milliseconds(20))
      }
      #expect(error?.code == ErrorObject.deadlineExceededCode)
      peer.gate.open()
      // The next answer comes after the late one: it is not mixed up with it.
      let number = try await client.call("number", [7], returning: Int.self, deadline: .seconds(5))
      #expect(number == 7)
    }
  }

  @Test func `that is cancelled tells the peer and ends with the peer's answer`() async throws {
    try await withPair { client, peer in
      let task = Task { try await client.call("wait", [1], returning: JSONValue.self, deadline: .seconds(30)) }
      await until { peer.gate.count == 1 }
      task.cancel()
      await #expect(throws: ErrorObject.cancelled()) { try await task.value }
      #expect(peer.heard.withLock { $0.cancelled } == 1)
      try await #expect(client.call("number", [3], returning: Int.self, deadline: .seconds(5)) == 3)
    }
  }

  @Test func `that is cancelled before it begins sends nothing`() async throws {
    try await withPair { client, peer in
      let task = Task {
        await until { Task.isCancelled }
        return try await client.call("wait", [1], returning: JSONValue.self, deadline: nil)
      }
      task.cancel()
      await #expect(throws: ErrorObject.cancelled()) { try await task.value }
      try await #expect(client.call("number", [3], returning: Int.self, deadline: .seconds(5)) == 3)
      // Nor was it sent and cancelled after it.
      #expect(peer.gate.count == 0 && peer.heard.withLock { $0.cancelled } == 0)
    }
  }

  @Test func `is refused by a side that only calls`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (left, right) = Connection.pair(on: loop)
    async let near = left.run(handler: NoHandler())
    async let far = right.run(handler: NoHandler())
    let error = await #expect(throws: ErrorObject.self) {
      try await left.call("number", [1], returning: Int.self, deadline: nil)
    }
    #expect(error == .methodNotFound("number"))
    await left.close(.finished)
    await right.close(.finished)
    #expect(await near == .finished)
    #expect(await far == .finished)
    await left.closeDescriptors()
    await right.closeDescriptors()
  }

  @Test func `that a peer ignores ends after the grace when cancelled`() async throws {
    try await withPair(.init(cancellationGrace: .milliseconds(20))) { client, peer in
      let task = Task { try await client.call("stubborn", [1], returning: JSONValue.self, deadline: nil) }
      await until { peer.gate.count == 1 }
      task.cancel()
      await #expect(throws: ErrorObject.cancelled()) { try await task.value }
      peer.gate.open()
    }
  }

  @Test func `over the number in flight is refused at once`() async throws {
    try await withPair(.init(maximumInFlight: 2)) { client, peer in
      async let first = client.call("wait", [1], returning: JSONValue.self, deadline: .seconds(30))
      async let second = client.call("wait", [2], returning: JSONValue.self, deadline: .seconds(30))
      await until { peer.gate.count == 2 }
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("number", [1], returning: Int.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.queueFullCode)
      peer.gate.open()
      let answers = try await [first, second]
      #expect(answers == [[:], [:]])
    }
  }

  @Test func `with params over the limit is refused and the connection lives on`() async throws {
    try await withPair(.init(maximumFrameBytes: 1000)) { client, _ in
      let error = await #expect(throws: ErrorObject.self) {
        let text = Text(text: String(repeating: "x", count: 2000))
        return try await client.call("echo", text, returning: Text.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.frameTooLargeCode)
      try await #expect(client.call("number", [1], returning: Int.self, deadline: .seconds(5)) == 1)
    }
  }

  @Test func `whose params JSON cannot write is refused`() async throws {
    try await withPair { client, _ in
      let error = await #expect(throws: ErrorObject.self) {
        try await client.call("echo", [Double.nan], returning: Text.self, deadline: .seconds(5))
      }
      #expect(error?.code == ErrorObject.invalidParamsCode)
    }
  }

  @Test func `fails at once when the peer hangs up`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (client, server) = Connection.pair(on: loop)
    let peer = Peer()
    async let clientEnd = client.run(handler: NoHandler())
    let serverTask = Task { await server.run(handler: peer) }
    let call = Task { try await client.call("wait", [1], returning: JSONValue.self, deadline: nil) }
    await until { peer.gate.count == 1 }
    await server.close(.cancelled)
    #expect(await serverTask.value == .cancelled)
    #expect(peer.heard.withLock { $0.cancelled } == 1)
    await server.closeDescriptors()
    let error = await #expect(throws: ErrorObject.self) { try await call.value }
    #expect(error?.code == ErrorObject.peerExitedCode)
    #expect(error?.data?["reason"] == "peerClosed")
    #expect(await clientEnd == .peerClosed)
    await client.closeDescriptors()
    let late = await #expect(throws: ErrorObject.self) {
      try await client.call("number", [1], returning: Int.self, deadline: nil)
    }
    #expect(late?.code == ErrorObject.peerExitedCode)
  }

  @Test func `works from a task on the loop and from one on the pool`() async throws {
    try await withPair { client, _ in
      try await #expect(client.call("number", [1], returning: Int.self, deadline: nil) == 1)
      let onLoop = try await withTaskExecutorPreference(client.loop) {
        try await client.call("number", [2], returning: Int.self, deadline: nil)
      }
      #expect(onLoop == 2)
    }
  }

  @Test func `may be made by both sides at once`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (left, right) = Connection.pair(on: loop, configuration: .init(framing: .contentLength))
    let text = Text(text: String(repeating: "y", count: 2 << 20))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = await left.run(handler: Peer()) }
      group.addTask { _ = await right.run(handler: Peer()) }
      // Six answers of 2 MiB cross six requests of 2 MiB: nobody may wait for the other to read first.
      try await withThrowingTaskGroup(of: Bool.self) { calls in
        for connection in [left, right, left, right, left, right] {
          calls.addTask {
            try await connection.call("echo", text, returning: Text.self, deadline: .seconds(30)) == text
          }
        }
        for try await isEqual in calls { #expect(isEqual) }
      }
      await left.close(.finished)
      await right.close(.finished)
    }
    await left.closeDescriptors()
    await right.closeDescriptors()
  }
}
