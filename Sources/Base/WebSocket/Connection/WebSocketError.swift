/// Why a connection gives or takes nothing any more.
package struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    /// It was closed, by either side.
    case closed
    /// The peer is gone without a word, or answers no ping.
    case lost
    /// The peer took nothing for too long.
    case tooSlow
    /// The peer broke a rule of the protocol, or a limit.
    case fault
    /// The waiting task was cancelled. The connection goes on.
    case cancelled
  }

  package let kind: Kind
  /// What the connection was closed with; 1006 without a frame.
  package let code: UInt16
  /// One sentence.
  package let message: String

  package init(_ kind: Kind, code: UInt16 = WebSocketCode.abnormal, _ message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
