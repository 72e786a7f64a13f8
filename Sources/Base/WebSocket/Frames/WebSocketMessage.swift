/// One message of a WebSocket (RFC 6455), its fragments put together.
package enum WebSocketMessage: Sendable, Hashable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// - Parameter code: `nil` when the frame was empty.
  case close(code: UInt16?, reason: String)

  /// Bytes of the payload.
  package var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count
    case .close(let code, let reason): (code == nil ? 0 : 2) + reason.utf8.count
    }
  }
}

/// The two ends of a connection: they differ in who masks (RFC 6455, 5.1).
package enum WebSocketRole: Sendable, Hashable {
  case client, server
}

/// The meaning of the first byte of a frame (RFC 6455, 5.2 and 11.8).
enum WebSocketOpcode: UInt8 {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  var isControl: Bool { rawValue >= 8 }
}
