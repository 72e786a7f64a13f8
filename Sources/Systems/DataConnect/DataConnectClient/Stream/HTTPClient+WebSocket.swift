package import HTTPClient
package import WebSocket

extension HTTPClient {
  /// Opens a WebSocket. Connection, TLS and handshake together take at most `connectTimeout`. Cancelling the task ends
  /// the attempt at once.
  ///
  /// The connection is independent of the client, which may be released. It uses the client's settings for TLS, proxies
  /// and trust.
  ///
  /// - Parameters:
  ///   - url: an absolute URL with ws or wss (or http or https, which mean the same), without user name and password.
  ///   - headers: further header fields, such as `Authorization` or `Origin`. Those of the handshake are ignored.
  ///   - protocols: the subprotocols to offer, in the order of preference.
  ///   - allowedReaches: the kinds of addresses that the connection may use; see `HTTPRequest.allowedReaches`.
  ///   - limits: the limits of the connection.
  /// - Throws: `HTTPUpgradeError` when the WebSocket cannot be opened.
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
