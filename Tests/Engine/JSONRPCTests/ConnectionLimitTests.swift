import CLinux
import EventLoop
import JSON
@testable import JSONRPC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A connection with a bad peer` {
  private static let request = #"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"#

  @Test func `ends when the peer reads nothing for too long`() async throws {
    let reason = try await RawPeer.with(.init(writeStall: .milliseconds(50))) { peer in
      let text = Text(text: String(repeating: "x", count: 2 << 20))
      let error = await #expect(throws: ErrorObject.self) {
        try await peer.connection.call("a", text, returning: Int.self, deadline: nil)
      }
      #expect(error?.data?["reason"] == "writeStalled")
    }
    #expect(reason == .writeStalled(.milliseconds(50)))
  }

  @Test func `refuses more when too much waits for a peer that does not read`() async throws {
    try await RawPeer.with(.init(maximumOutgoingBytes: 3 << 20)) { peer in
      let text = Text(text: String(repeating: "x", count: 1 << 20))
      let error = await #expect(throws: ErrorObject.self) {
        for _ in 0..<20 { try await peer.connection.notify("a", text) }
      }
      #expect(error?.code == ErrorObject.queueFullCode)
      #expect(peer.connection.outgoingBytes <= 3 << 20)
      // When it reads again, everything that was taken arrives, and more is taken.
      while peer.connection.outgoingBytes > 0 { _ = await peer.receive() }
      try await peer.connection.notify("b", [1])
      while let line = await peer.line(), !line.contains(#""b""#) {}
    }
  }

  @Test func `stops reading requests while their answers are not read`() async throws {
    try await RawPeer.with { peer in
      let text = String(repeating: "x", count: 100_000)
      let rest = #","method":"echo","params":{"text":"\#(text)"}}"# + "\n"
      let sender = Task {
        var sent = 0
        while sent < 120, await peer.send(#"{"jsonrpc":"2.0","id":\#(sent)"# + rest) { sent += 1 }
        return sent
      }
      // 12 MB of requests, and nobody reads the answers at first.
      await until { peer.connection.outgoingBytes > 1 << 20 }
      var answers = 0
      while answers < 120 {
        guard await peer.line() != nil else { break }
        answers += 1
        #expect(peer.connection.outgoingBytes <= 4 << 20)
      }
      #expect(await sender.value == 120)
      #expect(answers == 120)
    }
  }

  @Test func `reads a little more after a pause, for a peer that reads only when it has written`() async throws {
    try await RawPeer.with { peer in
      let text = String(repeating: "x", count: 100_000)
      // 2.4 MB: more than one mark and what a socket holds.
      for id in 0..<24 {
        let request = #"{"jsonrpc":"2.0","id":\#(id),"method":"echo","params":{"text":"\#(text)"}}"# + "\n"
        try #require(await peer.send(request))
      }
      for _ in 0..<24 { #expect(await peer.line()?.utf8.count ?? 0 > 100_000) }
    }
  }

  @Test func `leaves descriptors blocking that were blocking, and no others`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    for isBlocking in [true, false] {
      var (input, output): (Int32, Int32) = (-1, -1)
      #expect(clinux_stream_pair(&input, &output) == 0)
      for descriptor in [input, output] { _ = clinux_set_nonblocking(descriptor, isBlocking ? 0 : 1) }
      let connection = Connection(on: loop, input: input, output: output)
      let end = Task { await connection.run(handler: NoHandler()) }
      await connection.close(.finished)
      #expect(await end.value == .finished)
      for descriptor in [input, output] { #expect(clinux_set_nonblocking(descriptor, 1) == (isBlocking ? 0 : 1)) }
      await connection.closeDescriptors()
    }
  }

  @Test func `ends when a message is begun and not ended`() async throws {
    let reason = try await RawPeer.with(.init(partialMessage: .milliseconds(50))) { peer in
      await peer.send(String(Self.request.prefix(20)))
      #expect(await peer.line() == nil)
    }
    #expect(reason == .partialMessage(.milliseconds(50)))
  }

  @Test func `does not hurry a peer that sends whole messages`() async throws {
    let reason = try await RawPeer.with(.init(partialMessage: .seconds(1))) { peer in
      // The end of one and the beginning of the next always come together, so that something is always unfinished.
      var rest = Self.request[...]
      for _ in 0..<40 {
        await peer.send(rest + "\n" + Self.request.prefix(10))
        rest = Self.request.dropFirst(10)
        try await peer.connection.loop.sleep(for: .milliseconds(40))
      }
      await peer.send(rest + "\n")
      for _ in 0..<40 { _ = await peer.line() }
    }
    #expect(reason == .peerClosed)
  }

  @Test func `ends at an unterminated line over the limit`() async throws {
    let reason = try await RawPeer.with(.init(maximumFrameBytes: 100_000)) { peer in
      _ = await peer.send([UInt8](repeating: 0x7B, count: 8 << 20))
      #expect(await peer.line() == nil)
    }
    #expect(reason == .protocolViolation(.tooLarge(limit: 100_000)))
  }

  @Test func `ends at a length over the limit without waiting for it`() async throws {
    let reason = try await RawPeer.with(.init(framing: .contentLength)) { peer in
      await peer.send("Content-Length: 99999999999999999999\r\n\r\n")
      while await peer.line() != nil {}
    }
    #expect(reason == .protocolViolation(.tooLarge(limit: 4 << 20)))
  }

  @Test func `answers nothing to what does not even begin as a message, when it is told so`() async throws {
    try await RawPeer.with(.init(malformed: .replyToMessages)) { peer in
      await peer.send("a print\n{]\n" + Self.request + "\n")
      let refusal = try await peer.value()
      #expect(refusal?["id"] == .null)
      #expect(refusal?["error"]?["code"] == -32700)
      #expect(await peer.line() == #"{"jsonrpc":"2.0","id":1,"result":4}"#)
      #expect(peer.events.count == 2)
    }
  }

  @Test func `answers a peer that prints for every error no more than so often`() async throws {
    try await RawPeer.with { peer in
      // One more than the limit, at once; then a request, whose answer comes after all errors that are sent.
      let prints = AnonymousErrorLimit.burst + 40
      await peer.send(String(repeating: "{]\n", count: prints) + Self.request + "\n")
      var errors = 0
      while let value = try await peer.value(), value["id"] == .null { errors += 1 }
      // A machine that stalls here may earn some more; half of them it cannot.
      #expect((AnonymousErrorLimit.burst..<AnonymousErrorLimit.burst + 20).contains(errors))
      #expect(peer.events.count == prints)
    }
  }

  @Test func `sends another error without an id for each interval, and no more than a burst after any pause`() {
    var limit = AnonymousErrorLimit()
    let interval = AnonymousErrorLimit.interval
    func taken(at now: UInt64) -> Int { (0..<100).count { _ in limit.takes(at: now) } }
    let start = 7 * interval
    #expect(taken(at: start) == AnonymousErrorLimit.burst)
    #expect(taken(at: start + interval - 1) == 0)
    #expect(taken(at: start + interval) == 1)
    #expect(taken(at: start + 3 * interval + 1) == 2)
    #expect(taken(at: start + 4 * interval) == 1)
    #expect(taken(at: start + 1000 * interval) == AnonymousErrorLimit.burst)
    #expect(taken(at: .max) == AnonymousErrorLimit.burst)
  }

  @Test func `owes a peer nothing for the part of an interval in which it was owed a burst already`() {
    var limit = AnonymousErrorLimit()
    let interval = AnonymousErrorLimit.interval
    func taken(at now: UInt64) -> Int { (0..<100).count { _ in limit.takes(at: now) } }
    #expect(taken(at: interval) == AnonymousErrorLimit.burst)
    let full = 17 * interval + interval / 2
    #expect(taken(at: full) == AnonymousErrorLimit.burst)
    #expect(taken(at: full + interval - 1) == 0 && taken(at: full + interval) == 1)
  }

  @Test func `answers prints without end no more than so often, and each request that is none`() async throws {
    try await RawPeer.with { peer in
      let count = AnonymousErrorLimit.burst + 40
      await peer.send(String(repeating: "print\n", count: count) + Self.request + "\n")
      var errors = 0
      while let value = try await peer.value(), value["id"] == .null { errors += 1 }
      #expect((AnonymousErrorLimit.burst..<AnonymousErrorLimit.burst + 20).contains(errors))
      // Who says its id is answered, however often.
      for id in 0..<count { await peer.send(#"{"jsonrpc":"2.0","id":\#(id)}"# + "\n") }
      for id in 0..<count {
        let answer = try await peer.value()
        #expect(answer?["id"] == .integer(Int64(id)) && answer?["error"]?["code"] == -32600)
      }
    }
  }

  @Test func `says with which number of the system reading or writing failed`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (folder, null, full) = (Pipes.open("/"), Pipes.openNull(), Pipes.open("/dev/full", isWritten: true))
    let reader = Connection(on: loop, input: folder, output: null)
    #expect(await reader.run(handler: NoHandler()) == .readFailed(errno: 21))
    let (near, far) = try Pipes.crossed()
    let writer = Connection(on: loop, input: near.input, output: full)
    async let end = writer.run(handler: NoHandler())
    let error = await #expect(throws: ErrorObject.self) {
      try await writer.call("a", [1], returning: Int.self, deadline: nil)
    }
    #expect(error?.data?["reason"] == "writeFailed")
    #expect(await end == .writeFailed(errno: 28))
    // Whoever has closed its end is gone, which is no failure.
    let other = Connection(on: loop, input: near.input, output: near.output)
    far.closeInput()
    async let gone = other.run(handler: NoHandler())
    await #expect(throws: ErrorObject.self) { try await other.call("a", [1], returning: Int.self, deadline: nil) }
    #expect(await gone == .peerClosed)
    for descriptor in [folder, null, full] { Pipes.close(descriptor) }
    far.closeOutput()
    near.closeBoth()
  }

  @Test func `is left by a peer that has not read everything, too`() async throws {
    let reason = try await RawPeer.with { peer in
      try await peer.connection.notify("a", [1])
      await until { peer.connection.outgoingBytes == 0 }
    }
    #expect(reason == .peerClosed)
  }

  @Test func `ends for the first reason, and sends what waits only to a peer that may read`() async throws {
    for (reason, isSent) in [(CloseReason.finished, true), (.cancelled, false), (.peerClosed, true)] {
      let end = try await RawPeer.with { peer in
        // More than a socket takes.
        try await peer.connection.notify("a", Text(text: String(repeating: "x", count: 2 << 20)))
        #expect(peer.connection.outgoingBytes > 0)
        peer.connection.shutDown(reason)
        peer.connection.shutDown(.readFailed(errno: 1))
        #expect(peer.connection.closeReason == reason)
        #expect((peer.connection.outgoingBytes > 0) == isSent)
        let error = #expect(throws: ErrorObject.self) { try peer.connection.post("b", [1]) }
        #expect(error == reason.errorObject)
        if isSent { #expect(await peer.line()?.utf8.count ?? 0 > 2 << 20) }
      }
      #expect(end == reason)
    }
  }

  @Test func `has as many notifications worked on as there may be, and the next one is dropped`() async throws {
    try await RawPeer.with { peer in
      let line = #"{"jsonrpc":"2.0","method":"keep","params":[]}"# + "\n"
      await peer.send(String(repeating: line, count: Connection.maximumNotifications))
      try await peer.settle()
      #expect(peer.events == [])
      await peer.send(line)
      try await peer.settle()
      #expect(peer.events == [.notificationDropped(method: "keep")])
      await until { peer.handler.gate.count == Connection.maximumNotifications }
      peer.handler.gate.open()
      try await peer.settle()
      await peer.send(line)
      try await peer.settle()
      #expect(peer.events.count == 1)
    }
  }

  @Test func `answers what came before the peer closed its end`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = try Pipes.crossed()
    let connection = Connection(on: loop, input: near.input, output: near.output)
    async let end = connection.run(handler: Peer())
    far.write(Self.request + "\n")
    far.closeOutput()
    #expect(await end == .peerClosed)
    #expect(far.read() == #"{"jsonrpc":"2.0","id":1,"result":4}"# + "\n")
    far.closeInput()
    near.closeBoth()
  }

  @Test func `ends at once when its input is empty`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let null = Pipes.openNull()
    let connection = Connection(on: loop, input: null, output: null)
    #expect(await connection.run(handler: NoHandler()) == .peerClosed)
    Pipes.close(null)
  }

  @Test func `that is cancelled ends with its handlers`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = Connection.pair(on: loop)
    let peer = Peer()
    let run = Task { await near.run(handler: peer) }
    let other = Task { await far.run(handler: NoHandler()) }
    let call = Task { try await far.call("wait", [1], returning: JSONValue.self, deadline: nil) }
    await until { peer.gate.count == 1 }
    run.cancel()
    #expect(await run.value == .cancelled)
    #expect(peer.heard.withLock { $0.cancelled } == 1)
    await near.closeDescriptors()
    await #expect(throws: ErrorObject.self) { try await call.value }
    #expect(await other.value == .peerClosed)
    await far.closeDescriptors()
  }
}
