/// The numbers that say why a connection is closed (RFC 6455, 7.4, and the registry of IANA).
package enum WebSocketCode {
  package static let normal: UInt16 = 1000
  package static let goingAway: UInt16 = 1001
  package static let protocolError: UInt16 = 1002
  /// Never sent: the frame had no code.
  package static let none: UInt16 = 1005
  /// Never sent: the connection ended without a frame.
  package static let abnormal: UInt16 = 1006
  package static let invalidText: UInt16 = 1007
  package static let policyViolation: UInt16 = 1008
  package static let tooLarge: UInt16 = 1009
  package static let serverError: UInt16 = 1011
  package static let tryLater: UInt16 = 1013

  /// Whether a frame may have it.
  package static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

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
