package import EventLoop
internal import Synchronization

extension HTTPClient {
  /// Connects, asks the server to go on with another protocol (RFC 9110, 7.8) and hands the connection over: all of that
  /// takes no longer than `connectTimeout`. Cancelling the task ends the attempt at once.
  ///
  /// The connection is independent of the client, which may be let go. TLS, proxies and trust are those of requests.
  ///
  /// - Parameters:
  ///   - url: an absolute URL with http or https (or ws or wss, which mean the same), without user name and password.
  ///   - headers: `Upgrade` and `Connection`, and more fields of the request, such as `Authorization`.
  ///   - name: the other protocol as messages name it, for example "WebSocket".
  ///   - allowedReaches: the addresses that may be connected to; see `HTTPRequest.allowedReaches`.
  /// - Throws: `HTTPUpgradeError` when the server does not change the protocol.
  package func upgrade(
    at url: String, headers: HTTPFields, name: String, allowedReaches: Set<AddressReach>? = nil
  ) async throws(HTTPUpgradeError) -> UpgradedConnection {
    let order = try UpgradeOrder(
      url: url, headers: headers, name: name, allowedReaches: allowedReaches, configuration: configuration)
    guard let loop = socketLoop() else {
      throw order.failure(.unreachable, "The system gives no thread for a \(name).")
    }
    return try await order.open(on: loop)
  }

  /// The thread of all upgraded connections, which the first of them starts; `nil` when the system gives none.
  private func socketLoop() -> LoopThread? {
    sockets.withLock { loop in
      if loop == nil { loop = try? LoopThread(name: "web-sockets", spin: .zero) }
      return loop
    }
  }
}

/// A connection that a server has given to another protocol.
package struct UpgradedConnection: Sendable {
  /// The open connection. It belongs to the loop's thread from now on; letting it go closes it.
  package let transport: any ByteTransport & Sendable
  /// The loop to drive it on.
  package let loop: LoopThread
  /// The header fields of the answer, whose status is 101.
  package let fields: HTTPFields
  /// Bytes of the other protocol that came behind the head of the answer.
  package let early: [UInt8]
}

/// An error from asking a server for another protocol.
package struct HTTPUpgradeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened, as for a request; `invalidResponse` when the server answered with something else.
  package let cause: HTTPError
  /// The status of the answer; `nil` when there was no answer in HTTP, or no connection.
  package let status: Int?

  /// Creates an error; `status` is the server's answer when it refused the protocol.
  package init(_ cause: HTTPError, status: Int? = nil) {
    self.cause = cause
    self.status = status
  }

  /// The error for an answer that is refused.
  ///
  /// - Parameters:
  ///   - url: the URL that was asked for.
  ///   - message: what the server did, beginning with a small letter.
  package init(refusing status: Int?, of url: String, _ message: String) {
    let server = HTTPOrigin(url: UpgradeOrder.webURL(url))?.description ?? "The server"
    self.init(HTTPError(.invalidResponse, "\(server) \(message).", url: url), status: status)
  }

  /// The description of the cause.
  package var description: String { cause.description }
}
