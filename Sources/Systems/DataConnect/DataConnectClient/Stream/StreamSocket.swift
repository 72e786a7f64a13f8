package import WebSocket

/// A connection that carries a stream. It sends its own keep-alive messages and closes when the last reference is
/// released.
package protocol StreamSocket: Sendable {
  /// Sends a text. Waits while the send buffer is full.
  func send(text: String) async throws(WebSocketError)
  /// Waits for the next message; `nil` once the server has closed the connection normally.
  func receive() async throws(WebSocketError) -> WebSocketMessage?
  /// Closes the connection without waiting for the server.
  func close()
}

/// Opens the connection for the streams of a service.
///
/// - Parameters:
///   - url: the service's URL, http or https.
///   - endpoint: the connector that needs the connection.
/// - Throws: `StreamRefusal` when it cannot be opened.
package typealias StreamOpening =
  @Sendable (_ url: String, _ endpoint: DataConnectEndpoint) async throws(StreamRefusal) -> any StreamSocket

/// The reason a stream could not be opened.
package struct StreamRefusal: Error, Sendable, Equatable {
  /// The failure to report to the caller.
  package let failure: DataConnectFailure
  /// Whether another attempt is useless because the server offers no streams.
  package let isFinal: Bool

  /// Creates a refusal.
  package init(_ failure: DataConnectFailure, isFinal: Bool) {
    self.failure = failure
    self.isFinal = isFinal
  }
}
