import HTTPClient
import WebSocket

extension FuzzTargets {
  /// Frames give the same messages, whether they come whole or byte by byte, and what is read is written and read again.
  static func webSocket(_ bytes: [UInt8]) {
    var limits = WebSocketLimits()
    (limits.frameBytes, limits.messageBytes, limits.fragments) = (1 << 12, 1 << 13, 8)
    for role in [WebSocketRole.client, .server] {
      let (whole, fault) = messages(in: bytes, of: role, by: max(1, bytes.count), limits)
      let (single, second) = messages(in: bytes, of: role, by: 1, limits)
      precondition(whole == single && fault == second, "the messages depend on how the bytes are cut")
      precondition(whole.allSatisfy { $0.byteCount <= limits.messageBytes })
      let mask: [UInt8]? = role == .client ? [1, 2, 3, 4] : nil
      let written = whole.flatMap { WebSocketWriter.frame($0, mask: mask) }
      var wide = limits
      wide.frameBytes = limits.messageBytes
      let again = messages(in: written, of: role, by: 7, wide)
      precondition(again.0 == whole && again.1 == nil, "the messages do not read back")
    }
    handshakes(bytes)
  }

  private static func messages(
    in bytes: [UInt8], of role: WebSocketRole, by step: Int, _ limits: WebSocketLimits
  ) -> ([WebSocketMessage], WebSocketFault?) {
    var parser = WebSocketParser(reading: role, limits: limits)
    var rest = bytes[...]
    var found: [WebSocketMessage] = []
    do throws(WebSocketFault) {
      while !rest.isEmpty {
        parser.append(rest.prefix(step))
        rest = rest.dropFirst(step)
        while let message = try parser.next() { found.append(message) }
        precondition(parser.byteCount <= limits.messageBytes + 125 + 14)
      }
      return (found, nil)
    } catch {
      return (found, error)
    }
  }

  /// The bytes as a server's answer, and their lines as the fields of a request.
  private static func handshakes(_ bytes: [UInt8]) {
    let upgrade = UpgradeRequest(target: "/", host: "a", fields: [:], name: "WebSocket")
    if let answer = try? upgrade.answer(in: bytes) {
      precondition(answer.byteCount <= bytes.count)
      let request = WebSocketRequest(protocols: ["b"], key: "dGhlIHNhbXBsZSBub25jZQ==")
      let chosen = try? request.subprotocol(in: answer.fields.all.map { (name: $0.name, value: $0.value) })
      precondition(chosen == nil || chosen == "b")
    }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
    }
    guard let offer = try? WebSocketOffer(method: "GET", fields: fields, origins: .loopback) else { return }
    precondition(WebSocketOrigins.loopback.allows(offer.origin) && !offer.answer().isEmpty)
  }
}
