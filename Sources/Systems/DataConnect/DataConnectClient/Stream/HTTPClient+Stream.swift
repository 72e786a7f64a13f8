internal import HTTPClient
internal import WebSocket

extension HTTPClient {
  /// Opens the connections of streams as this client opens its own.
  ///
  /// - Parameter messageBytes: the most bytes of an answer.
  func streamOpening(messageBytes: Int) -> StreamOpening {
    { url, endpoint throws(StreamRefusal) in
      var limits = WebSocketLimits()
      limits.frameBytes = messageBytes
      limits.messageBytes = messageBytes
      limits.receivedBytes = messageBytes
      // The client pings a server that has been silent for this long.
      limits.pingInterval = .seconds(30)
      limits.pongLimit = .seconds(10)
      do throws(HTTPUpgradeError) {
        return OpenStream(
          connection: try await self.webSocket(
            to: url, allowedReaches: endpoint.isLoopbackOnly ? [.loopback] : nil, limits: limits))
      } catch {
        throw StreamRefusal(error, at: endpoint)
      }
    }
  }
}

extension StreamRefusal {
  /// A server that answers with a status other than those of a bad time has no streams.
  fileprivate init(_ error: HTTPUpgradeError, at endpoint: DataConnectEndpoint) {
    switch error.status {
    case nil, 408?, 429?, .some(500...): self.init(DataConnectFailure(error.cause, at: endpoint), isFinal: false)
    case .some(let status):
      let code = DataConnectFailure.code(nil, status)
      self.init(
        DataConnectFailure(
          code == .invalidArgument ? .failed : code,
          "\(endpoint.server) opens no stream for \(endpoint.shownConnector) (status \(status)).",
          recovery: "Execute the query instead of subscribing, or use a server that has realtime."), isFinal: true)
    }
  }
}

/// A WebSocket as a stream has it.
private struct OpenStream: StreamSocket {
  let connection: WebSocketConnection

  func send(text: String) async throws(WebSocketError) { try await connection.send(text: text) }
  func receive() async throws(WebSocketError) -> WebSocketMessage? { try await connection.receive() }
  func close() { connection.beginClose() }
}
