internal import Text

/// A client's side of the handshake (RFC 6455, 4.1). Pure.
package struct WebSocketRequest: Sendable {
  package let key: String
  private let protocols: [String]
  private let lines: [String]

  /// Why a server's answer is no WebSocket.
  package struct Refusal: Error, Hashable, Sendable {
    /// The status of the answer, 101 when something else of it is wrong; `nil` when it is no HTTP.
    package let status: Int?
    /// One sentence that begins with a small letter: what the server did.
    package let message: String
  }

  /// The most bytes of the head of an answer.
  package static let headBytes = 16 << 10

  /// - Parameters:
  ///   - target: path and query as they are sent; begins with "/".
  ///   - host: host and port, as a URL has them.
  ///   - fields: more fields, which hold no line ends.
  package init(
    target: String, host: String, protocols: [String] = [], fields: WebSocketHandshake.Fields = [],
    key: String = WebSocketHandshake.newKey()
  ) {
    self.key = key
    self.protocols = protocols
    var lines = [
      "GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    if !protocols.isEmpty { lines.append("Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))") }
    let own = ["host", "upgrade", "connection", "content-length", "transfer-encoding"]
    for field in fields where !own.contains(field.name.lowercased()) && !Self.isOfHandshake(field.name) {
      lines.append("\(field.name): \(field.value)")
    }
    self.lines = lines
  }

  private static func isOfHandshake(_ name: String) -> Bool { name.lowercased().hasPrefix("sec-websocket-") }

  /// What is sent.
  package var head: [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  /// Reads the answer, of which all bytes so far are given.
  ///
  /// - Returns: the subprotocol that the server chose, and how many bytes the head has; `nil` when it is not whole.
  /// - Throws: why there is no WebSocket.
  package func answer(in bytes: [UInt8]) throws(Refusal) -> (subprotocol: String?, byteCount: Int)? {
    let end: [UInt8] = [13, 10, 13, 10]
    let head = bytes.prefix(Self.headBytes)
    guard let place = head.indices.first(where: { head[$0...].starts(with: end) }) else {
      if bytes.count >= Self.headBytes { throw Refusal(status: nil, message: "sent a header without end") }
      if !head.starts(with: "HTTP/1.1 ".utf8.prefix(head.count)) { throw noHTTP }
      return nil
    }
    guard let text = String(validating: bytes[..<place], as: UTF8.self) else { throw noHTTP }
    return (try read(text.split(separator: "\r\n", omittingEmptySubsequences: false)), place + end.count)
  }

  private var noHTTP: Refusal { Refusal(status: nil, message: "does not speak HTTP/1.1") }

  private func read(_ lines: [Substring]) throws(Refusal) -> String? {
    let first = lines.first?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false) ?? []
    guard first.count >= 2, first[0] == "HTTP/1.1", first[1].utf8.count == 3, let status = Int(first[1]), status >= 100
    else { throw noHTTP }
    guard status == 101 else {
      throw Refusal(status: status, message: "answered with status \(status), not with a WebSocket")
    }
    var fields: WebSocketHandshake.Fields = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, WebSocketHandshake.isToken(String(parts[0])) else {
        throw wrong("sent the field \"\(line.shownInMessage())\", which is none")
      }
      fields.append((String(parts[0]), WebSocketHandshake.trimmed(parts[1])))
    }
    return try check(fields)
  }

  private func check(_ fields: WebSocketHandshake.Fields) throws(Refusal) -> String? {
    guard let upgrade = WebSocketHandshake.only("Upgrade", in: fields),
      WebSocketHandshake.areEqual(upgrade, "websocket"),
      WebSocketHandshake.has("upgrade", in: "Connection", of: fields)
    else { throw wrong("switched to something that is no WebSocket") }
    guard WebSocketHandshake.only("Sec-WebSocket-Accept", in: fields) == WebSocketHandshake.accept(for: key) else {
      throw wrong("gave the answer to another key")
    }
    guard WebSocketHandshake.list("Sec-WebSocket-Extensions", in: fields).isEmpty else {
      throw wrong("chose an extension that was not offered")
    }
    let chosen = WebSocketHandshake.values(of: "Sec-WebSocket-Protocol", in: fields)
    guard let subprotocol = chosen.first else { return nil }
    guard chosen.count == 1, protocols.contains(subprotocol) else {
      throw wrong("chose a subprotocol that was not offered")
    }
    return subprotocol
  }

  private func wrong(_ message: String) -> Refusal { Refusal(status: 101, message: message) }
}
