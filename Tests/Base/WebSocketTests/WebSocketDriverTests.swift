import CLinux
import EventLoop
import Glibc
import Synchronization
import Testing
import WebSocket

/// What goes over the wire at the ends of a connection, and beside its messages.
@Suite(.timeLimit(.minutes(1)))
struct `The driver of a WebSocket` {
  /// A connection whose times take no part in a test.
  private func pair(early: [UInt8] = []) throws -> WebSocketPair {
    try WebSocketPair(early: early) {
      ($0.closeLimit, $0.pingInterval, $0.stallLimit) = (.seconds(50), .seconds(50), .seconds(50))
    }
  }

  @Test func `reads what came with the handshake, and what follows`() async throws {
    let first = WebSocketWriter.frame(.text("first"), mask: [9, 8, 7, 6])
    let second = WebSocketWriter.frame(.text("second"), mask: [1, 2, 3, 4])
    let pair = try pair(early: first + second.prefix(5))
    pair.write(Array(second.dropFirst(5)))
    #expect(try await pair.server.receive() == .text("first"))
    #expect(try await pair.server.receive() == .text("second"))
    #expect(pair.over.count == 0 && pair.server.closing == nil)
    clinux_close(pair.descriptor)
    await pair.server.waitUntilOver()
    try await pair.over.wait(past: 0)
    #expect(pair.over.count == 1)
  }

  static let closes: [(UInt16?, String, [UInt8], UInt16, String)] = [
    (4000, "bye", [0x88, 2, 0x0F, 0xA0], 4000, "The peer closed the WebSocket with code 4000: bye."),
    (1000, "", [0x88, 2, 0x03, 0xE8], 1000, "The peer closed the WebSocket with code 1000."),
    (nil, "", [0x88, 0], 1005, "The peer closed the WebSocket with code 1005."),
  ]

  @Test(arguments: closes) func `answers a close with its code, and ends the connection first`(
    code: UInt16?, reason: String, answer: [UInt8], closed: UInt16, message: String
  ) async throws {
    let pair = try pair()
    pair.write(.text("last"))
    pair.write(.close(code: code, reason: reason))
    #expect(await pair.read(answer.count + 1) == answer, "nothing follows but the end")
    #expect(try await pair.server.receive() == .text("last"))
    #expect(try await pair.server.receive() == nil)
    #expect(pair.server.closing == WebSocketError(.closed, code: closed, message))
    await #expect(throws: WebSocketError.self) { try await pair.server.send(text: "x") }
    #expect(!pair.server.offer(text: "x") && pair.server.queuedBytes == 0)
    clinux_close(pair.descriptor)
  }

  @Test func `receives what the peer sends before it answers a close`() async throws {
    let pair = try pair()
    try await pair.server.send(text: "a")
    pair.server.beginClose(code: 3001, reason: "é")
    pair.server.beginClose(code: 3002)
    #expect(await pair.read(9) == [0x81, 1, 0x61, 0x88, 4, 0x0B, 0xB9, 0xC3, 0xA9])
    pair.write(.ping([5]))
    pair.write(.text("late"))
    #expect(try await pair.server.receive() == .text("late"))
    #expect(pair.server.closing == nil)
    pair.write(.close(code: 3001, reason: ""))
    #expect(try await pair.server.receive() == nil)
    let message = "The WebSocket was closed here, with code 3001."
    #expect(pair.server.closing == WebSocketError(.closed, code: 3001, message))
    // The ping was not answered: our close was the last word.
    #expect(await pair.read(1) == [])
    clinux_close(pair.descriptor)
  }

  @Test func `says a fault to the peer, and keeps it until the peer has gone`() async throws {
    let pair = try pair()
    pair.write(.text("before"))
    pair.write([0x83, 0x80, 1, 2, 3, 4])
    let reason = Array("A frame is of no known kind.".utf8)
    #expect(await pair.read(4 + reason.count) == [0x88, UInt8(2 + reason.count), 0x03, 0xEA] + reason)
    #expect(try await pair.server.receive() == .text("before"))
    pair.write(.text("behind"))
    #expect(pair.server.closing == nil)
    clinux_close(pair.descriptor)
    let error = await #expect(throws: WebSocketError.self) { try await pair.server.receive() }
    #expect(error == WebSocketError(.fault, code: 1002, "A frame is of no known kind."))
  }

  @Test func `ends a connection whose peer does not answer a close, or a fault, in its time`() async throws {
    for isFault in [false, true] {
      let pair = try WebSocketPair { $0.closeLimit = .milliseconds(30) }
      if isFault { pair.write([0x83, 0x80, 1, 2, 3, 4]) } else { pair.server.beginClose(code: 1013) }
      await pair.server.waitUntilOver()
      #expect(pair.server.closing?.kind == (isFault ? .fault : .closed))
      #expect(pair.server.closing?.code == (isFault ? 1002 : 1013))
      clinux_close(pair.descriptor)
    }
  }

  @Test func `answers no more pings than a peer takes the answers to, and answers again when it takes them`()
    async throws
  {
    let pair = try pair()
    let ping = [UInt8](repeating: 7, count: 125)
    // As many of 127 bytes as begin below 4,096.
    let most = 33
    for round in 0..<2 {
      pair.end.isShut.store(true, ordering: .releasing)
      for _ in 0..<most + 20 { pair.write(.ping(ping)) }
      pair.write(.text("\(round)"))
      // All pings have been read by then.
      #expect(try await pair.server.receive() == .text("\(round)"))
      pair.end.isShut.store(false, ordering: .releasing)
      let pongs = await pair.read(most * 127)
      #expect(pongs == Array(repeating: [0x8A, 125] + ping, count: most).flatMap { $0 })
      pair.write(.ping([1]))
      #expect(await pair.read(3) == [0x8A, 1, 1])
    }
    clinux_close(pair.descriptor)
  }

  @Test func `begins to read again when its messages are taken, each time`() async throws {
    let pair = try WebSocketPair {
      $0.receivedBytes = 1_000
      ($0.pingInterval, $0.stallLimit) = (.seconds(50), .seconds(50))
    }
    for round in 0..<3 {
      // Each fills what waits for the receiver, so that the next one stays in the socket.
      for number in 0..<4 { pair.write(.text("\(round) \(number) " + String(repeating: "x", count: 1_000))) }
      for number in 0..<4 {
        guard case .text(let text) = try await pair.server.receive() else { break }
        #expect(text.hasPrefix("\(round) \(number) x"))
      }
    }
    clinux_close(pair.descriptor)
  }

  @Test(arguments: [true, false])
  func `tells a peer the end that has ended its own direction at once`(isFault: Bool) async throws {
    let loop = try LoopThread(name: "web-sockets", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    #expect(shutdown(second, Int32(SHUT_WR)) == 0)
    var limits = WebSocketLimits()
    (limits.closeLimit, limits.stallLimit) = (.seconds(50), .seconds(50))
    let close = WebSocketWriter.frame(.close(code: 4000, reason: ""), mask: [1, 2, 3, 4])
    let server = WebSocketConnection(
      role: .server, limits: limits, on: loop, early: isFault ? [0x83, 0x80, 1, 2, 3, 4] : close,
      transport: SocketEnd(first))
    await server.waitUntilOver()
    #expect(server.closing?.kind == (isFault ? .fault : .closed) && server.closing?.code == (isFault ? 1002 : 4000))
    let reason = isFault ? "A frame is of no known kind." : ""
    var buffer = [UInt8](repeating: 0, count: 200)
    let count = clinux_read(second, &buffer, buffer.count)
    let code: [UInt8] = isFault ? [0x03, 0xEA] : [0x0F, 0xA0]
    #expect(Array(buffer.prefix(max(0, count))) == [0x88, UInt8(2 + reason.utf8.count)] + code + Array(reason.utf8))
    #expect(clinux_read(second, &buffer, buffer.count) == 0)
    clinux_close(second)
  }

  /// A transport that has read ahead, as TLS does: its descriptor shows nothing of that.
  private final class Hoard: ByteTransport {
    let descriptor: Int32
    private var left: Int
    private let piece: [UInt8]
    /// Is called when it is read for the first time, with how many pieces are left then and later.
    private var atFirst: ((_ left: @escaping () -> Int) -> Void)?

    init(
      _ descriptor: Int32, _ count: Int, of piece: [UInt8], atFirst: ((_ left: @escaping () -> Int) -> Void)? = nil
    ) {
      (self.descriptor, left, self.piece, self.atFirst) = (descriptor, count, piece, atFirst)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer {
      atFirst?({ self.left })
      atFirst = nil
      if left == 0 { return clinux_read(descriptor, buffer.baseAddress, buffer.count) == -Int(EAGAIN) ? .wait : .over }
      left -= 1
      buffer.copyBytes(from: piece)
      return .bytes(piece.count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer { .wait }
    func close() { clinux_close(descriptor) }
  }

  /// Few bytes let it rest behind each message.
  @Test(arguments: [256 << 10, 10])
  func `reads what its transport has read ahead, to the last, however much that is`(receivedBytes: Int) async throws {
    let loop = try LoopThread(name: "web-sockets", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    let piece = WebSocketWriter.frame(.text("piece"), mask: [1, 2, 3, 4])
    var limits = WebSocketLimits()
    limits.receivedBytes = receivedBytes
    let server = WebSocketConnection(role: .server, limits: limits, on: loop, transport: Hoard(first, 500, of: piece))
    for _ in 0..<500 { #expect(try await server.receive() == .text("piece")) }
    #expect(server.closing == nil)
    clinux_close(second)
  }

  @Test func `reads so much at a time, and then others have their turn`() async throws {
    let loop = try LoopThread(name: "web-sockets", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    let left = Mutex<[Int]>([])
    let hoard = Hoard(first, 500, of: WebSocketWriter.frame(.text("piece"), mask: [1, 2, 3, 4])) { count in
      nonisolated(unsafe) let count = count
      loop.loop.execute { left.withLock { $0.append(count()) } }
    }
    let server = WebSocketConnection(role: .server, limits: WebSocketLimits(), on: loop, transport: hoard)
    for _ in 0..<500 { #expect(try await server.receive() == .text("piece")) }
    #expect(left.withLock { $0 } == [500 - 64])
    clinux_close(second)
  }

  /// The thread goes on when a connection has ended, and what was to be done for it would find nothing there.
  @Test(arguments: [true, false])
  func `counts the time without messages from the last one, whoever sent it`(isReceived: Bool) async throws {
    let idle = Duration.seconds(3)
    let pair = try WebSocketPair {
      ($0.idleLimit, $0.closeLimit) = (idle, .milliseconds(50))
      ($0.pingInterval, $0.pongLimit) = (.milliseconds(60), .seconds(50))
    }
    // Some time goes by, in which nothing but pings and the answers to them are sent.
    for _ in 0..<4 {
      #expect(await pair.read(2) == [0x89, 0])
      pair.write(.pong([]))
    }
    let last = ContinuousClock.now
    if isReceived {
      pair.write(.text("here"))
      #expect(try await pair.server.receive() == .text("here"))
    } else {
      try await pair.server.send(text: "here")
    }
    await pair.server.waitUntilOver()
    #expect(ContinuousClock.now - last >= idle)
    #expect(pair.server.closing?.kind == .closed && pair.server.closing?.code == 1001)
    clinux_close(pair.descriptor)
  }

  @Test func `leaves nothing to be done behind it`() async throws {
    let loop = try LoopThread(name: "web-sockets", spin: .zero)
    for _ in 0..<3 {
      let ended = try WebSocketPair(on: loop) { $0.pingInterval = .milliseconds(20) }
      ended.write(.text("here"))
      #expect(try await ended.server.receive() == .text("here"))
      clinux_close(ended.descriptor)
      await ended.server.waitUntilOver()
    }
    let later = try WebSocketPair(on: loop) { $0.closeLimit = .milliseconds(60) }
    later.server.beginClose(code: 1000)
    await later.server.waitUntilOver()
    #expect(later.server.closing?.code == 1000)
    clinux_close(later.descriptor)
  }
}
