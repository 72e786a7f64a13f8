import JSON

/// Sees the frames of a connection: what a recording is made of.
package struct FrameTap: Sendable {
  /// The direction of a frame, seen from this side.
  package enum Direction: Sendable {
    case incoming, outgoing
  }

  /// - Parameter body: gets the JSON text of a message without its framing; called under a lock for outgoing frames, so
  ///   it must not call the connection.
  package let see: @Sendable (Direction, [UInt8]) -> Void

  package init(_ see: @escaping @Sendable (Direction, [UInt8]) -> Void) { self.see = see }

  /// The JSON text of a frame on its way out.
  static func text(of frame: OutgoingFrame, _ framing: Framing) -> [UInt8] {
    unsafe frame.withBytes { bytes in
      switch framing {
      case .lines: return unsafe [UInt8](bytes.dropLast())
      case .contentLength:
        guard let brace = unsafe bytes.firstIndex(of: 0x7B) else { return [] }
        return unsafe [UInt8](bytes[brace...])
      }
    }
  }
}
