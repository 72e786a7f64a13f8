import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `What a connection keeps for its peer` {
  private static let ceiling = 8 << 20
  private static let text = String(repeating: "x", count: 1 << 20)
  /// A message of 300 KB that becomes several megabytes when it is read.
  private static let objects = String(repeating: #"{"a":0},"#, count: 30_000)

  private static func configuration(_ ceiling: Int = Self.ceiling) -> Connection.Configuration {
    .init(maximumHeldBytes: ceiling)
  }

  /// Sends lines until the connection is cut off; why it was.
  private static func flood(
    _ configuration: Connection.Configuration = Self.configuration(), _ line: @escaping @Sendable (Int) -> String
  ) async throws -> PeerLedger.Excess? {
    let reason = try await RawPeer.with(configuration) { peer in
      var number = 0
      while peer.connection.closeReason == nil, await peer.send(line(number) + "\n") { number += 1 }
      while await peer.line() != nil {}
    }
    guard case .ledgerExceeded(let excess) = reason else {
      Issue.record("It ended for another reason: \(reason)")
      return nil
    }
    return excess
  }

  /// A call that is not answered; what it fails with.
  private static func call(through peer: RawPeer) -> Task<ErrorObject?, Never> {
    Task {
      do throws(ErrorObject) {
        _ = try await peer.connection.call("a", [1], returning: JSONValue.self, deadline: nil)
        return nil
      } catch {
        return error
      }
    }
  }

  private static func check(_ excess: PeerLedger.Excess?) {
    #expect(excess?.ceiling == ceiling)
    // One message more than the ceiling, and what that one becomes.
    #expect(excess.map { (ceiling...ceiling * 3).contains($0.held) } == true, "\(String(describing: excess))")
  }

  @Test(.timeLimit(.minutes(1))) func `are the params of requests that are worked on`() async throws {
    Self.check(
      try await Self.flood { #"{"jsonrpc":"2.0","id":\#($0),"method":"keep","params":["\#(Self.text)"]}"# })
  }

  @Test func `are the values that small texts become`() async throws {
    Self.check(
      try await Self.flood { #"{"jsonrpc":"2.0","id":\#($0),"method":"keep","params":[\#(Self.objects)0]}"# })
  }

  @Test func `are the params of notifications that are worked on`() async throws {
    Self.check(try await Self.flood { _ in #"{"jsonrpc":"2.0","method":"keep","params":["\#(Self.text)"]}"# })
  }

  @Test func `is nothing of params that nobody has read`() async throws {
    try await RawPeer.with(Self.configuration()) { peer in
      let gate = peer.handler.gate
      await peer.send(#"{"jsonrpc":"2.0","id":1,"method":"wait","params":[1,2,3]}"# + "\n")
      await until { gate.count == 1 }
      #expect(peer.connection.ledger.held == 0)
      await peer.send(#"{"jsonrpc":"2.0","method":"wait","params":{"a":"b"}}"# + "\n")
      await until { gate.count == 2 }
      #expect(peer.connection.ledger.held == 0)
      await peer.send(#"{"jsonrpc":"2.0","id":2,"method":"keep","params":[1]}"# + "\n")
      await until { gate.count == 3 }
      // It is drawn in steps.
      #expect(peer.connection.ledger.held == 64 << 10)
      gate.open()
    }
  }

  @Test func `are the errors of streams that nobody reads`() async throws {
    Self.check(
      try await Self.flood { number in
        let end = #"{"streamID":"s\#(number)","error":{"code":1,"message":"\#(Self.text)"}}"#
        return #"{"jsonrpc":"2.0","method":"$/stream/open","params":{"streamID":"s\#(number)"}}"# + "\n"
          + #"{"jsonrpc":"2.0","method":"$/stream/end","params":\#(end)}"#
      })
  }

  @Test func `are the answers that it does not read`() async throws {
    let reason = try await RawPeer.with(Self.configuration()) { peer in
      let line = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"\#(Self.text)"}}"# + "\n"
      // This side waits for an answer, so it reads on.
      let call = Self.call(through: peer)
      while peer.connection.closeReason == nil, await peer.send(line) {}
      #expect(await call.value != nil)
    }
    guard case .ledgerExceeded = reason else {
      Issue.record("It ended for another reason: \(reason)")
      return
    }
  }

  @Test func `is what streams hold in store, until it is read`() async throws {
    try await RawPeer.with(.init(maximumHeldBytes: Self.ceiling, streamWindow: 1 << 20)) { peer in
      let reading = try peer.connection.incomingStream("up")
      await peer.notify("$/stream/open", #"{"streamID":"up"}"#)
      _ = await peer.line()
      let value = "[\(String(repeating: "[0],", count: 10_000))0]"
      for number in 1...2 {
        await peer.notify("$/stream/data", #"{"streamID":"up","seq":\#(number),"value":\#(value)}"#)
      }
      try await peer.settle()
      let full = peer.connection.ledger.held
      #expect(full > 2 * 20_000 * JSONValue.bytesOfValue)
      var iterator = reading.makeAsyncIterator()
      for _ in 1...2 { _ = try await iterator.next() }
      #expect(peer.connection.ledger.held < full / 4)
    }
  }

  @Test func `is the message that has begun, until it is whole or the connection ends`() async throws {
    let ledgers = Mutex<[PeerLedger]>([])
    try await RawPeer.with(Self.configuration()) { peer in
      let ledger = peer.connection.ledger
      ledgers.withLock { $0.append(ledger) }
      let text = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"\#(Self.text)"}}"# + "\n"
      await peer.send(String(text.prefix(700_000)))
      await until { ledger.held >= 700_000 }
      await peer.send(String(text.dropFirst(700_000)))
      #expect(await peer.line()?.utf8.count ?? 0 > 1 << 20)
      // What an account has in reserve.
      await until { ledger.held <= 256 << 10 }
      await peer.send(String(text.prefix(700_000)))
      await until { ledger.held >= 700_000 }
    }
    #expect(ledgers.withLock { $0.map(\.held) } == [0])
  }

  @Test func `is given back with each answer, and all of it at the end`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (client, server) = Connection.pair(on: loop, configuration: Self.configuration())
    let peer = Peer()
    async let near = client.run(handler: NoHandler())
    async let far = server.run(handler: peer)
    // Fifty times the ceiling in all, in both directions.
    for _ in 0..<200 {
      let echo: Text = try await client.call("echo", Text(text: Self.text), deadline: nil)
      #expect(echo.text.utf8.count == 1 << 20)
    }
    #expect(server.ledger.most > 1 << 20)
    #expect(server.ledger.excess == nil && client.ledger.excess == nil)
    await client.close(.finished)
    await server.close(.finished)
    _ = await (near, far)
    await client.closeDescriptors()
    await server.closeDescriptors()
    #expect(client.ledger.held == 0)
    #expect(server.ledger.held == 0)
  }

  @Test func `says the figure and the ceiling to whoever waits for an answer`() async throws {
    try await RawPeer.with(Self.configuration()) { peer in
      let call = Self.call(through: peer)
      peer.connection.ledger.draw(Self.ceiling + 1)
      let error = await call.value
      #expect(error?.data?["reason"] == "ledgerExceeded")
      #expect(error?.message.contains("9 MiB of this side's memory, and 8 MiB are allowed") == true, "\(error as Any)")
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A peer whose requests are refused` {
  private static let limit = NotificationLimit(perSecond: 100, burst: 100, grace: .milliseconds(100))

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":ID,"method":"no/such","params":{}}"#,
    #"{"jsonrpc":"2.0","id":ID,"method":"fail","params":{}}"#,
    #"{"jsonrpc":"2.0","id":ID,"method":"echo","params":{}}"#,
  ])
  func `has them counted like notifications`(line: String) async throws {
    let reason = try await RawPeer.with(.init(notifications: Self.limit)) { peer in
      var number = 0
      while peer.connection.closeReason == nil,
        await peer.send(line.replacing("ID", with: "\(number)") + "\n")
      {
        number += 1
        // It reads its answers, so nothing else is in the way.
        if number % 100 == 0, peer.connection.outgoingBytes > 1 << 16 { _ = await peer.receive() }
      }
    }
    #expect(reason == .notificationFlood(Self.limit))
  }

  @Test func `has others served as fast as they come`() async throws {
    let reason = try await RawPeer.with(.init(notifications: Self.limit)) { peer in
      for number in 0..<1000 {
        await peer.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"number","params":[1]}"# + "\n")
        _ = await peer.line()
      }
    }
    #expect(reason == .peerClosed)
  }
}
