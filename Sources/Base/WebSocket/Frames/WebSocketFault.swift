/// What a peer did that the protocol, or a limit, forbids.
package struct WebSocketFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the connection is closed with: 1002, 1007 or 1009.
  package let code: UInt16
  /// One sentence without anything of the peer.
  package let message: String

  init(_ code: UInt16, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A rule of the protocol was broken.
  init(_ message: String) { self.init(WebSocketCode.protocolError, message) }

  package var description: String { message }
}
