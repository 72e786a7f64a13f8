package import HTTPClient
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
  ///   - limits: what the connection may cost.
  /// - Throws: `HTTPUpgradeError` when there is no WebSocket.
  package func webSocket(
    to url: String, headers: HTTPFields = [:], protocols: [String] = [], allowedReaches: Set<AddressReach>? = nil,
    limits: WebSocketLimits = WebSocketLimits()
  ) async throws(HTTPUpgradeError) -> WebSocketConnection {
    let request = WebSocketRequest(
      protocols: protocols, fields: headers.all.map { (name: $0.name, value: $0.value) })
    var fields = HTTPFields()
    for field in request.fields { fields.append(field.name, field.value) }
    let opened = try await upgrade(at: url, headers: fields, name: "WebSocket", allowedReaches: allowedReaches)
    do throws(WebSocketRequest.Refusal) {
      return WebSocketConnection(
        role: .client,
        subprotocol: try request.subprotocol(in: opened.fields.all.map { (name: $0.name, value: $0.value) }),
        limits: limits, on: opened.loop, early: opened.early, transport: opened.transport)
    } catch {
      throw HTTPUpgradeError(refusing: 101, of: url, error.message)
    }
  }
}
