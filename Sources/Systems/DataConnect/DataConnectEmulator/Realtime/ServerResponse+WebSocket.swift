package import HTTPServer
package import WebSocket

extension ServerRequest {
  /// Whether the request asks for a WebSocket. It may do so wrongly; `ServerResponse.webSocket` answers then, too.
  package var asksForWebSocket: Bool {
    headers.contains { $0.isNamed("Upgrade") && $0.value.lowercased().contains("websocket") }
  }
}

extension ServerResponse {
  /// Returns a response that opens a WebSocket if the request is a valid handshake (RFC 6455) from an allowed page;
  /// otherwise a refusal.
  ///
  /// - Parameters:
  ///   - request: the request that the handler received.
  ///   - origins: the origins of web pages that may open it; by default pages of this machine.
  ///   - subprotocols: the subprotocols of this server, in the order of preference. The first one that the client
  ///     offers is chosen; without a common one the connection has none.
  ///   - limits: the limits of the connection.
  ///   - body: runs as a child task of the server. The server cancels it when the connection ends, and closes the
  ///     connection when it returns. A server that stops closes with status 1001.
  package static func webSocket(
    answering request: ServerRequest, origins: WebSocketOrigins = .loopback, subprotocols: [String] = [],
    limits: WebSocketLimits = WebSocketLimits(), _ body: @escaping @Sendable (WebSocketConnection) async -> Void
  ) -> ServerResponse {
    do throws(WebSocketOffer.Refusal) {
      let fields = request.headers.map { (name: $0.name, value: $0.value) }
      let offer = try WebSocketOffer(
        method: request.method, fields: fields, bodyBytes: request.body.count, origins: origins)
      let subprotocol = subprotocols.first { offer.protocols.contains($0) }
      let headers = offer.answer(subprotocol: subprotocol).map { ServerField($0.name, $0.value) }
      return .upgrade(headers: headers) { socket in
        var limits = limits
        limits.closeLimit = min(limits.closeLimit, socket.closeLimit)
        let connection = WebSocketConnection(
          role: .server, subprotocol: subprotocol, limits: limits, on: socket.loop, early: socket.early,
          over: socket.over, transport: socket.transport)
        return UpgradedWork {
          await body(connection)
          await connection.close()
        } stop: {
          connection.beginClose(code: WebSocketCode.goingAway, reason: "The server is stopping.")
        }
      }
    } catch {
      var response = ServerResponse(status: error.status, text: "\(error.message)\n")
      response.headers += error.fields.map { ServerField($0.key, $0.value) }
      return response
    }
  }
}
