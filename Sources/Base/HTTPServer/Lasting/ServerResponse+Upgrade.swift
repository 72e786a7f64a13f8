internal import CMicroHTTPD
internal import EventLoop
internal import Synchronization
package import WebSocket

extension ServerRequest {
  /// Whether the request asks for a WebSocket. It may do so wrongly; `ServerResponse.webSocket` answers then, too.
  package var asksForWebSocket: Bool {
    headers.contains { $0.isNamed("Upgrade") && $0.value.lowercased().contains("websocket") }
  }
}

extension ServerResponse {
  /// A WebSocket, if the request asks for one as the standard has it and comes from an allowed page; else the refusal.
  ///
  /// - Parameters:
  ///   - request: what the handler was asked.
  ///   - origins: whose pages may have it; pages of this machine by default.
  ///   - subprotocols: those that this server speaks, the dearest first. The first that the client speaks too is chosen;
  ///     without any the connection has none.
  ///   - limits: what the connection may cost.
  ///   - body: runs as a child task of the server as long as the connection lasts: it is cancelled when that ends, and
  ///     the connection is closed when the body returns. A server that stops closes with 1001.
  package static func webSocket(
    answering request: ServerRequest, origins: WebSocketOrigins = .loopback, subprotocols: [String] = [],
    limits: WebSocketLimits = WebSocketLimits(), _ body: @escaping @Sendable (WebSocketConnection) async -> Void
  ) -> ServerResponse {
    do throws(WebSocketOffer.Refusal) {
      let fields = request.headers.map { (name: $0.name, value: $0.value) }
      let offer = try WebSocketOffer(
        method: request.method, fields: fields, bodyBytes: request.body.count, origins: origins)
      let subprotocol = subprotocols.first { offer.protocols.contains($0) }
      var response = ServerResponse(
        status: 101, headers: offer.answer(subprotocol: subprotocol).map { ServerField($0.name, $0.value) })
      response.lasting = LastingPart(
        response: WebSocketResponse(subprotocol: subprotocol, limits: limits, body: body))
      return response
    } catch {
      var response = ServerResponse(status: error.status, text: "\(error.message)\n")
      response.headers += error.fields.map { ServerField($0.key, $0.value) }
      return response
    }
  }
}

/// A WebSocket on its way from a handler to the thread of the server, where it becomes a connection.
final class WebSocketResponse: LastingResponse {
  private enum State {
    case waiting(CheckedContinuation<WebSocketConnection?, Never>?)
    case open(WebSocketConnection)
    case over
  }

  private let subprotocol: String?
  private let limits: WebSocketLimits
  private let body: @Sendable (WebSocketConnection) async -> Void
  private let state = Mutex(State.waiting(nil))
  private let canceller = TaskCanceller()
  private let place = Mutex<Place?>(nil)
  private let hasBegun = Atomic(false)

  /// Where the connection will be driven, and how.
  struct Place {
    let loop: LoopThread
    /// No peer may take longer to answer a close.
    let closeLimit: Duration
    /// Whether the connection has TLS.
    let isSecure: Bool
    /// Where the response counts until it is over.
    let table: LastingTable
  }

  init(
    subprotocol: String?, limits: WebSocketLimits, body: @escaping @Sendable (WebSocketConnection) async -> Void
  ) {
    self.subprotocol = subprotocol
    self.limits = limits
    self.body = body
  }

  /// Before the header is sent.
  func place(_ place: Place) { self.place.withLock { $0 = place } }

  /// The header is sent: takes the connection over from the library, on its thread.
  ///
  /// - Parameter early: what the client has sent already.
  func begin(_ descriptor: Int32, _ handle: OpaquePointer, early: [UInt8]) {
    guard let place = place.withLock({ $0 }) else { return unsafe cmhd_close_upgraded(handle) }
    let socket = unsafe UpgradedSocket(descriptor, handle, isSecure: place.isSecure)
    hasBegun.store(true, ordering: .releasing)
    var limits = limits
    limits.closeLimit = min(limits.closeLimit, place.closeLimit)
    // Whoever was told before that it is over lets it go at once, which closes it.
    let connection = WebSocketConnection(
      role: .server, subprotocol: subprotocol, limits: limits, on: place.loop, early: early,
      over: { [self] in
        place.table.remove(self)
        canceller.cancel()
      }, transport: socket)
    let waiter = state.withLock { state -> CheckedContinuation<WebSocketConnection?, Never>? in
      guard case .waiting(let waiter) = state else { return nil }
      state = .open(connection)
      return waiter
    }
    waiter?.resume(returning: connection)
  }

  func run() async {
    guard let connection = await connection() else { return }
    await canceller.during {
      await body(connection)
      await connection.close()
    }
    state.withLock { $0 = .over }
  }

  private func connection() async -> WebSocketConnection? {
    await withCheckedContinuation { continuation in
      let (found, isKnown) = state.withLock { state -> (WebSocketConnection?, Bool) in
        switch state {
        case .open(let connection): return (connection, true)
        case .over: return (nil, true)
        case .waiting:
          state = .waiting(continuation)
          return (nil, false)
        }
      }
      if isKnown { continuation.resume(returning: found) }
    }
  }

  var hasConnection: Bool { hasBegun.load(ordering: .acquiring) }

  func stop() {
    guard case .open(let connection) = state.withLock({ $0 }) else { return abandon() }
    connection.beginClose(code: WebSocketCode.goingAway, reason: "The server is stopping.")
  }

  func abandon() {
    let waiter = state.withLock { state -> CheckedContinuation<WebSocketConnection?, Never>? in
      guard case .waiting(let waiter) = state else { return nil }
      state = .over
      return waiter
    }
    waiter?.resume(returning: nil)
  }
}
