internal import EventLoop
internal import Synchronization
package import WebSocket

extension HTTPClient {
  /// Opens a WebSocket: connection, TLS and handshake take no longer than `connectTimeout` together. Cancelling the task
  /// ends the attempt at once.
  ///
  /// The connection is independent of the client, which may be let go. TLS, proxies and trust are those of requests.
  ///
  /// - Parameters:
  ///   - url: an absolute URL with ws or wss (or http or https, which mean the same), without user name and password.
  ///   - headers: more fields of the request, such as `Authorization` or `Origin`; those of the handshake are left out.
  ///   - protocols: the subprotocols to offer, the dearest first.
  ///   - allowedReaches: the addresses that may be connected to; see `HTTPRequest.allowedReaches`.
  /// - Throws: `HTTPSocketError` when there is no WebSocket.
  package func webSocket(
    to url: String, headers: HTTPFields = [:], protocols: [String] = [], allowedReaches: Set<AddressReach>? = nil,
    limits: WebSocketLimits = WebSocketLimits()
  ) async throws(HTTPSocketError) -> WebSocketConnection {
    let order = try SocketOrder(
      url: url, headers: headers, protocols: protocols, allowedReaches: allowedReaches, configuration: configuration)
    guard let loop = socketLoop() else {
      throw HTTPSocketError(HTTPError(.unreachable, "The system gives no thread for a WebSocket.", url: order.url))
    }
    let opened = try await order.open(on: loop)
    return WebSocketConnection(
      role: .client, subprotocol: opened.subprotocol, limits: limits, on: loop, early: opened.early,
      transport: opened.socket)
  }

  /// The thread of all sockets, which the first of them starts; `nil` when the system gives none.
  private func socketLoop() -> LoopThread? {
    sockets.withLock { loop in
      if loop == nil { loop = try? LoopThread(name: "web-sockets", spin: .zero) }
      return loop
    }
  }
}

/// Why there is no WebSocket.
package struct HTTPSocketError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened, as for a request; `invalidResponse` when the server answered with something else.
  package let cause: HTTPError
  /// The status that the server answered with; `nil` when it said nothing in HTTP, or the connection was not made.
  package let status: Int?

  init(_ cause: HTTPError, status: Int? = nil) {
    self.cause = cause
    self.status = status
  }

  /// One sentence.
  package var message: String { cause.message }

  /// What the reader can do about it.
  package var recovery: String {
    switch status {
    case nil: cause.recovery
    case 401, 403: "Check who asks: the server wants other credentials, or another origin."
    default: "Check that the path is one of a WebSocket."
    }
  }

  package var description: String { cause.description }
}
