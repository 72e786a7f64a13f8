internal import HTTP
internal import Text

/// A client's side of the handshake (RFC 6455, 4.1). Pure.
package struct WebSocketRequest: Sendable {
  /// The value of `Sec-WebSocket-Key`: 16 random bytes in base64.
  package let key: String
  /// The fields to send with GET, beside `Host`.
  package let fields: WebSocketHandshake.Fields
  private let protocols: [String]

  /// The reason why a server's answer with status 101 is not a WebSocket.
  package struct Refusal: Error, Hashable, Sendable {
    /// One sentence that begins with a small letter: what the server did.
    package let message: String
  }

  /// - Parameters:
  ///   - protocols: the subprotocols to offer, the dearest first.
  ///   - fields: more fields; those of the handshake are left out.
  package init(
    protocols: [String] = [], fields: WebSocketHandshake.Fields = [], key: String = WebSocketHandshake.newKey()
  ) {
    self.key = key
    self.protocols = protocols
    var own: WebSocketHandshake.Fields = [
      ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", "13"),
    ]
    if !protocols.isEmpty { own.append(("Sec-WebSocket-Protocol", protocols.joined(separator: ", "))) }
    self.fields = own + fields.filter { !Self.isOfHandshake($0.name.lowercased()) }
  }

  private static func isOfHandshake(_ name: String) -> Bool {
    name == "upgrade" || name == "connection" || name.hasPrefix("sec-websocket-")
  }

  /// Checks the fields of an answer with status 101.
  ///
  /// - Returns: the subprotocol that the server chose.
  /// - Throws: `Refusal` when the answer is not a WebSocket.
  package func subprotocol(in fields: WebSocketHandshake.Fields) throws(Refusal) -> String? {
    guard let upgrade = WebSocketHandshake.only("Upgrade", in: fields),
      FieldSyntax.areEqual(upgrade, "websocket"),
      WebSocketHandshake.has("upgrade", in: "Connection", of: fields)
    else { throw Refusal(message: "switched to something that is not a WebSocket") }
    guard WebSocketHandshake.only("Sec-WebSocket-Accept", in: fields) == WebSocketHandshake.accept(for: key) else {
      throw Refusal(message: "gave the answer to another key")
    }
    guard WebSocketHandshake.list("Sec-WebSocket-Extensions", in: fields).isEmpty else {
      throw Refusal(message: "chose an extension that was not offered")
    }
    let chosen = WebSocketHandshake.values(of: "Sec-WebSocket-Protocol", in: fields)
    guard let subprotocol = chosen.first else { return nil }
    guard chosen.count == 1, protocols.contains(where: { $0.hasBytes(of: subprotocol) }) else {
      throw Refusal(message: "chose a subprotocol that was not offered")
    }
    return subprotocol
  }
}
