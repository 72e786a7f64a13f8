package import EventLoop

/// A WebSocket, of a server or a client: messages come and go as tasks ask for them, while an event loop, which many
/// share, reads and writes. It answers pings and sends its own.
///
/// May be used by many tasks at once, `receive` by one at a time. Letting it go closes it.
package final class WebSocketConnection: Sendable {
  /// What both sides agreed on to speak.
  package let subprotocol: String?
  private let mailbox: WebSocketMailbox

  /// Takes over a connection whose handshake is done.
  ///
  /// - Parameters:
  ///   - transport: made for this connection alone; used and closed on the loop.
  ///   - early: bytes that came with the handshake.
  ///   - over: called once on the loop's thread, after the transport was closed.
  package init(
    role: WebSocketRole, subprotocol: String? = nil, limits: WebSocketLimits, on loop: LoopThread,
    early: [UInt8] = [],
    over: @escaping @Sendable () -> Void = {}, transport: sending any ByteTransport
  ) {
    self.subprotocol = subprotocol
    mailbox = WebSocketMailbox(role: role, limits: limits)
    let start = DriverHolder(
      WebSocketDriver(role: role, limits: limits, loop: loop, transport: transport, mailbox: mailbox, over: over))
    let events = loop.loop
    mailbox.attach { events.execute { start.driver.attend() } }
    events.execute { start.driver.begin(early) }
  }

  deinit { mailbox.close(code: WebSocketCode.goingAway, reason: "") }

  /// The next message, a text or bytes.
  ///
  /// - Returns: `nil` once the connection was closed in order, by either side; `closing` says how.
  /// - Throws: why the connection ended otherwise, after all messages that came before; `cancelled` when the task is.
  package func receive() async throws(WebSocketError) -> WebSocketMessage? { try await mailbox.receive() }

  /// All messages to come, as ``receive()`` gives them. For one reader.
  package var messages: WebSocketMessages { WebSocketMessages(connection: self) }

  /// Sends a text. Waits as long as too much waits to be sent (`WebSocketLimits.queuedBytes`).
  ///
  /// - Throws: why it cannot be sent any more; `cancelled` when the task is: then nothing of it is sent.
  package func send(text: String) async throws(WebSocketError) { try await mailbox.send(.text(text)) }

  /// The same for bytes.
  package func send(binary bytes: [UInt8]) async throws(WebSocketError) { try await mailbox.send(.binary(bytes)) }

  /// Sends a text if there is room for it at once: for many receivers, none of which may hold up the others.
  ///
  /// - Returns: false when nothing was sent, because the peer is behind or the connection is over.
  package func offer(text: String) -> Bool { mailbox.offer(.text(text)) }

  /// Bytes that wait to be sent.
  package var queuedBytes: Int { mailbox.queuedBytes }

  /// Closes the connection behind what waits to be sent, and waits until it is over, at most `closeLimit`. What the peer
  /// has sent before may still be received.
  ///
  /// - Parameters:
  ///   - code: 1000 to 1014 without those that mean no code, or 3000 to 4999; anything else becomes 1000.
  ///   - reason: for the peer, cut at 123 bytes.
  package func close(code: UInt16 = WebSocketCode.normal, reason: String = "") async {
    mailbox.close(code: code, reason: reason)
    await mailbox.waitUntilOver()
  }

  /// The same without waiting.
  package func beginClose(code: UInt16 = WebSocketCode.normal, reason: String = "") {
    mailbox.close(code: code, reason: reason)
  }

  /// Waits until the connection has ended, however it does.
  package func waitUntilOver() async { await mailbox.waitUntilOver() }

  /// How it ended: `closed` with the code of the side that began, and what the peer gave as its reason; `nil` as long as
  /// it has not.
  package var closing: WebSocketError? { mailbox.end }
}

/// The messages of a connection, one after the other.
package struct WebSocketMessages: AsyncSequence, AsyncIteratorProtocol, Sendable {
  /// One message.
  package typealias Element = WebSocketMessage
  /// The error that ends the sequence early.
  package typealias Failure = WebSocketError

  fileprivate let connection: WebSocketConnection

  /// The sequence itself: all iterators share the connection's messages.
  package func makeAsyncIterator() -> WebSocketMessages { self }

  /// Waits for the next message; `nil` after a normal close.
  package func next() async throws(WebSocketError) -> WebSocketMessage? { try await connection.receive() }

  /// Waits for the next message; `nil` after a normal close.
  package func next(isolation: isolated (any Actor)?) async throws(WebSocketError) -> WebSocketMessage? {
    try await connection.receive()
  }
}

/// What one connection may cost, in bytes and in time.
package struct WebSocketLimits: Sendable, Hashable {
  /// The most bytes of a frame's payload.
  package var frameBytes = 1 << 20
  /// The most bytes of a message, its fragments put together.
  package var messageBytes = 1 << 20
  /// The most frames of a message.
  package var fragments = 1024
  /// Bytes that wait to be sent before `send` waits. One message goes in alone, however large it is.
  package var queuedBytes = 256 << 10
  /// Bytes of messages that wait for their receiver before the peer has to wait.
  package var receivedBytes = 256 << 10
  /// After so long a silence of the peer a ping asks whether it is there.
  package var pingInterval: Duration = .seconds(20)
  /// How long the peer may take to answer a ping.
  package var pongLimit: Duration = .seconds(20)
  /// How long a peer may take nothing of what is to be sent, before it is dropped.
  package var stallLimit: Duration = .seconds(30)
  /// After so long without a message in either direction the connection is closed; `nil` keeps it.
  package var idleLimit: Duration?
  /// How long the peer may take to answer a close.
  package var closeLimit: Duration = .seconds(5)

  package init() {}
}

/// Why a connection gives or takes nothing any more.
package struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    /// It was closed, by either side.
    case closed
    /// The peer is gone without a word, or answers no ping.
    case lost
    /// The peer took nothing for too long.
    case tooSlow
    /// The peer broke a rule of the protocol, or a limit.
    case fault
    /// The waiting task was cancelled. The connection goes on.
    case cancelled
  }

  package let kind: Kind
  /// What the connection was closed with; 1006 without a frame.
  package let code: UInt16
  /// One sentence.
  package let message: String

  package init(_ kind: Kind, code: UInt16 = WebSocketCode.abnormal, _ message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
