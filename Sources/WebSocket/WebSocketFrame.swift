/// One message of a WebSocket (RFC 6455), its fragments put together.
package enum WebSocketMessage: Sendable, Hashable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(code: UInt16?, reason: String)
}
