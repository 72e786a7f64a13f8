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
  package typealias Element = WebSocketMessage
  package typealias Failure = WebSocketError

  fileprivate let connection: WebSocketConnection

  package func makeAsyncIterator() -> WebSocketMessages { self }

  package func next() async throws(WebSocketError) -> WebSocketMessage? { try await connection.receive() }

  package func next(isolation: isolated (any Actor)?) async throws(WebSocketError) -> WebSocketMessage? {
    try await connection.receive()
  }
}
