internal import HTTP
internal import Text

/// What a client asks for that wants a WebSocket, as its server sees it (RFC 6455, 4.2.1).
package struct WebSocketOffer: Sendable, Hashable {
  /// The value of `Sec-WebSocket-Key`.
  package let key: String
  /// The subprotocols that it speaks, the dearest first.
  package let protocols: [String]
  /// The origin of the page that asks; `nil` when no browser does.
  package let origin: String?

  /// Why there is no WebSocket, as a response of HTTP.
  package struct Refusal: Error, Hashable, Sendable {
    /// 400, 403, 405 or 426.
    package let status: Int
    /// One sentence.
    package let message: String
    /// Fields that the response has to have.
    package var fields: [String: String] = [:]
  }

  /// - Throws: what is wrong with the request.
  package init(
    method: String, fields: WebSocketHandshake.Fields, bodyBytes: Int = 0, origins: WebSocketOrigins
  ) throws(Refusal) {
    guard method == "GET" else {
      throw Refusal(status: 405, message: "A WebSocket is asked for with GET.", fields: ["Allow": "GET"])
    }
    guard bodyBytes == 0 else { throw Refusal(status: 400, message: "A request for a WebSocket has no body.") }
    guard WebSocketHandshake.has("websocket", in: "Upgrade", of: fields),
      WebSocketHandshake.has("upgrade", in: "Connection", of: fields)
    else {
      throw Refusal(
        status: 426, message: "Only a WebSocket is to be had here.", fields: ["Upgrade": "websocket"])
    }
    guard WebSocketHandshake.only("Sec-WebSocket-Version", in: fields) == "13" else {
      throw Refusal(
        status: 426, message: "WebSockets are spoken in version 13 only.",
        fields: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
    }
    guard let key = WebSocketHandshake.only("Sec-WebSocket-Key", in: fields), Base64.decode(key)?.count == 16 else {
      throw Refusal(status: 400, message: "The key of the WebSocket has not 16 bytes.")
    }
    let protocols = WebSocketHandshake.list("Sec-WebSocket-Protocol", in: fields)
    guard protocols.allSatisfy({ FieldSyntax.isToken($0) }), Set(protocols).count == protocols.count else {
      throw Refusal(status: 400, message: "A subprotocol of the WebSocket is not a token, or is there twice.")
    }
    let found = WebSocketHandshake.values(of: "Origin", in: fields)
    guard found.count <= 1, origins.allows(found.first) else {
      throw Refusal(status: 403, message: "Pages of that origin get no WebSocket here.")
    }
    self.key = key
    self.protocols = protocols
    origin = found.first
  }

  /// The fields of the answer, besides `Connection`.
  ///
  /// - Parameter subprotocol: one of those offered.
  package func answer(subprotocol: String? = nil) -> WebSocketHandshake.Fields {
    var fields = [
      (name: "Upgrade", value: "websocket"),
      (name: "Sec-WebSocket-Accept", value: WebSocketHandshake.accept(for: key)),
    ]
    if let subprotocol, protocols.contains(subprotocol) {
      fields.append((name: "Sec-WebSocket-Protocol", value: subprotocol))
    }
    return fields
  }
}

/// Whose pages may have a WebSocket. Browsers let every page ask for one, of any server, and send the user's cookies
/// with it; all that protects is the `Origin` that they add (RFC 6455, 10.2).
package enum WebSocketOrigins: Sendable, Hashable {
  /// No pages: requests without an origin only.
  case none
  /// Pages that this machine serves, at whatever port, and requests without an origin.
  case loopback
  /// Pages of these origins, written as browsers do ("https://a.example", "http://localhost:3000"), and requests without.
  case listed(Set<String>)
  case any

  /// - Parameter origin: the field; `nil` without it.
  package func allows(_ origin: String?) -> Bool {
    guard let origin else { return true }
    switch self {
    case .none: return false
    case .any: return true
    case .listed(let origins): return origins.contains { $0.hasBytes(of: origin) }
    case .loopback:
      guard let start = ["http://", "https://"].first(where: { origin.hasPrefix($0) }) else { return false }
      let host = origin.dropFirst(start.count)
      return ["localhost", "127.0.0.1", "[::1]"].contains { name in
        guard host.hasPrefix(name) else { return false }
        let rest = host.dropFirst(name.count)
        let port = rest.dropFirst()
        return rest.isEmpty
          || rest.first == ":" && (1...5).contains(port.count) && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
    }
  }
}
