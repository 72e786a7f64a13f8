import CLinux
import EventLoop
import Testing
import WebSocket

@Suite(.timeLimit(.minutes(1)))
struct `A WebSocket connection` {
  @Test func `keeps the order of messages, however many tasks send`() async throws {
    let pair = try WebSocketPair()
    let client = pair.client()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask { for number in 0..<100 { try await client.send(text: "\(sender) \(number)") } }
      }
      var last = [Int](repeating: -1, count: 8)
      for _ in 0..<800 {
        guard case .text(let text) = try await pair.server.receive() else { break }
        let parts = text.split(separator: " ").compactMap { Int($0) }
        #expect(last[parts[0]] == parts[1] - 1)
        last[parts[0]] = parts[1]
      }
      #expect(last == [Int](repeating: 99, count: 8))
      try await group.waitForAll()
    }
    await client.close()
  }

  @Test func `answers pings, and asks a silent peer with its own`() async throws {
    // There from the start, so that its own ping cannot come first.
    let ping = WebSocketWriter.frame(.ping([7]), mask: [1, 2, 3, 4])
    let pair = try WebSocketPair(early: ping) { $0.pingInterval = .milliseconds(50) }
    #expect(await pair.read(5) == [0x8A, 1, 7, 0x89, 0])
    clinux_close(pair.descriptor)
  }

  @Test func `is lost when the peer answers no ping`() async throws {
    let pair = try WebSocketPair { ($0.pingInterval, $0.pongLimit) = (.milliseconds(20), .milliseconds(20)) }
    let error = await #expect(throws: WebSocketError.self) { try await pair.server.receive() }
    #expect(error?.kind == .lost)
    clinux_close(pair.descriptor)
  }

  @Test func `lives as long as the peer answers`() async throws {
    let pair = try WebSocketPair { ($0.pingInterval, $0.pongLimit) = (.milliseconds(20), .seconds(40)) }
    for _ in 0..<10 {
      #expect(await pair.read(2) == [0x89, 0])
      pair.write(.pong([]))
    }
    pair.write(.text("there"))
    #expect(try await pair.server.receive() == .text("there"))
    clinux_close(pair.descriptor)
  }

  @Test func `is lost when the peer is gone without a word, after what came before`() async throws {
    let pair = try WebSocketPair()
    pair.write(.text("last"))
    clinux_close(pair.descriptor)
    #expect(try await pair.server.receive() == .text("last"))
    let error = await #expect(throws: WebSocketError.self) { try await pair.server.receive() }
    #expect(error?.kind == .lost && error?.code == 1006)
    await #expect(throws: WebSocketError.self) { try await pair.server.send(text: "x") }
  }

  @Test func `drops a peer that takes nothing`() async throws {
    let pair = try WebSocketPair { ($0.stallLimit, $0.queuedBytes) = (.milliseconds(100), 10_000) }
    let error = await #expect(throws: WebSocketError.self) {
      while true { try await pair.server.send(text: String(repeating: "x", count: 5_000)) }
    }
    #expect(error?.kind == .tooSlow)
    clinux_close(pair.descriptor)
  }

  @Test func `refuses what is offered when its peer is behind, and keeps its budget`() async throws {
    let pair = try WebSocketPair { $0.queuedBytes = 10_000 }
    while pair.server.offer(text: String(repeating: "x", count: 5_000)) {
      #expect(pair.server.queuedBytes <= 10_008)
    }
    #expect(pair.server.queuedBytes > 5_000)
    clinux_close(pair.descriptor)
  }

  @Test func `has its peer wait while nobody receives`() async throws {
    let pair = try WebSocketPair { $0.receivedBytes = 10_000 }
    var limits = WebSocketLimits()
    (limits.queuedBytes, limits.stallLimit) = (10_000, .milliseconds(200))
    let client = pair.client(limits)
    let text = String(repeating: "x", count: 5_000)
    // Nobody receives, so the sender is held up, and in the end takes its peer for too slow.
    let error = await #expect(throws: WebSocketError.self) { while true { try await client.send(text: text) } }
    #expect(error?.kind == .tooSlow)
    var count = 0
    let end = await #expect(throws: WebSocketError.self) {
      while try await pair.server.receive() == .text(text) { count += 1 }
    }
    #expect(end?.kind == .lost)
    #expect((2..<1_000).contains(count))
  }

  @Test func `is closed when no message comes for long`() async throws {
    let pair = try WebSocketPair { ($0.idleLimit, $0.closeLimit) = (.milliseconds(50), .milliseconds(50)) }
    #expect(try await pair.server.receive() == nil)
    #expect(pair.server.closing?.code == 1001)
    clinux_close(pair.descriptor)
  }

  @Test func `ends a task that waits when it is cancelled, and goes on`() async throws {
    let pair = try WebSocketPair { $0.queuedBytes = 100 }
    let server = pair.server
    for _ in 0..<50 {
      let receiving = Task { try await server.receive() }
      receiving.cancel()
      await #expect(throws: WebSocketError.self) { try await receiving.value }
    }
    // The kernel takes some before a sender has to wait.
    var kind: WebSocketError.Kind?
    for _ in 0..<1_000 where kind == nil {
      let sending = Task { try await server.send(text: String(repeating: "y", count: 50_000)) }
      sending.cancel()
      do { try await sending.value } catch { kind = (error as? WebSocketError)?.kind }
    }
    #expect(kind == .cancelled)
    pair.write(.text("still there"))
    #expect(try await server.receive() == .text("still there"))
    clinux_close(pair.descriptor)
  }

  @Test func `is closed by whoever lets it go`() async throws {
    let loop = try LoopThread(name: "web-sockets", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    let client = WebSocketConnection(role: .client, limits: WebSocketLimits(), on: loop, transport: SocketEnd(second))
    _ = WebSocketConnection(role: .server, limits: WebSocketLimits(), on: loop, transport: SocketEnd(first))
    #expect(try await client.receive() == nil)
    #expect(client.closing?.code == 1001)
  }

  @Test func `ends once, whichever side closes first`() async throws {
    for _ in 0..<100 {
      let pair = try WebSocketPair()
      let (server, client) = (pair.server, pair.client())
      async let one: Void = server.close(code: 4000)
      async let other: Void = client.close(code: 4001)
      _ = await (one, other)
      #expect(server.closing?.kind == .closed || server.closing?.kind == .lost)
      #expect(client.closing?.kind == .closed || client.closing?.kind == .lost)
    }
  }
}
