package import WebSocket

/// A connection that a stream goes over. It keeps itself alive, and ends when it is let go.
package protocol StreamSocket: Sendable {
  /// Sends a text. Waits as long as too much waits to be sent.
  func send(text: String) async throws(WebSocketError)
  /// The next message; `nil` once the connection was closed in order.
  func receive() async throws(WebSocketError) -> WebSocketMessage?
  /// Closes without waiting.
  func close()
}

/// Opens the connection for the streams of a service.
///
/// - Parameters:
///   - url: http or https, of the service.
///   - endpoint: what it is opened for.
/// - Throws: `StreamRefusal` when there is none.
package typealias StreamOpening =
  @Sendable (_ url: String, _ endpoint: DataConnectEndpoint) async throws(StreamRefusal) -> any StreamSocket

/// Why there is no connection.
package struct StreamRefusal: Error, Sendable, Equatable {
  package let failure: DataConnectFailure
  /// Whether another attempt is of no use, as the server has no streams.
  package let isFinal: Bool

  package init(_ failure: DataConnectFailure, isFinal: Bool) {
    self.failure = failure
    self.isFinal = isFinal
  }
}
