/// Writes messages as single frames (RFC 6455, 5.2). Pure.
package enum WebSocketWriter {
  /// The most bytes of the payload of a control frame.
  package static let controlBytes = 125

  /// A message in one frame.
  ///
  /// - Parameters:
  ///   - message: pings and pongs are cut at 125 bytes, and the reason of a close at 123; a close without a code has no
  ///     reason.
  ///   - mask: four bytes nobody could foresee, for what a client sends; `nil` for what a server sends.
  package static func frame(_ message: WebSocketMessage, mask: [UInt8]?) -> [UInt8] {
    switch message {
    case .text(let text): frame(.text, Array(text.utf8), mask: mask)
    case .binary(let bytes): frame(.binary, bytes, mask: mask)
    case .ping(let bytes): frame(.ping, Array(bytes.prefix(controlBytes)), mask: mask)
    case .pong(let bytes): frame(.pong, Array(bytes.prefix(controlBytes)), mask: mask)
    case .close(let code, let reason): frame(.close, close(code, reason), mask: mask)
    }
  }

  /// A part of a message: for peers that want their messages in pieces, and for tests.
  ///
  /// - Parameters:
  ///   - isFirst: else it continues the one before.
  ///   - isText: what the message is; counts for the first only.
  package static func fragment(
    _ bytes: [UInt8], isText: Bool, isFirst: Bool, isLast: Bool, mask: [UInt8]?
  ) -> [UInt8] {
    frame(isFirst ? (isText ? .text : .binary) : .continuation, bytes, mask: mask, isLast: isLast)
  }

  private static func close(_ code: UInt16?, _ reason: String) -> [UInt8] {
    guard let code else { return [] }
    var end =
      reason.utf8.index(reason.startIndex, offsetBy: controlBytes - 2, limitedBy: reason.endIndex) ?? reason.endIndex
    // Not in the middle of a scalar.
    while end.samePosition(in: reason.unicodeScalars) == nil { end = reason.utf8.index(before: end) }
    return [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason[..<end].utf8)
  }

  private static func frame(
    _ opcode: WebSocketOpcode, _ payload: [UInt8], mask: [UInt8]?, isLast: Bool = true
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    bytes.append((isLast ? 0x80 : 0) | opcode.rawValue)
    let masked: UInt8 = mask == nil ? 0 : 0x80
    let count = UInt64(payload.count)
    switch payload.count {
    case 0...125: bytes.append(masked | UInt8(count))
    case 126...0xFFFF: bytes += [masked | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
    default: bytes += [masked | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) }
    }
    if let mask { bytes += mask.prefix(4) }
    let start = bytes.count
    bytes += payload
    if let mask { WebSocketMask.apply(mask, to: &bytes, from: start, place: 0) }
    return bytes
  }
}

/// The masking of a client's payload (RFC 6455, 5.3): the same again takes it off.
enum WebSocketMask {
  /// Masks the bytes from `start` on.
  ///
  /// - Parameters:
  ///   - mask: four bytes.
  ///   - place: where in the payload the first of these bytes stands.
  static func apply(_ mask: [UInt8], to bytes: inout [UInt8], from start: Int, place: Int) {
    let span = (0..<4).map { mask[(place + $0) & 3] }
    unsafe bytes.withUnsafeMutableBytes { bytes in
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(span[index & 3]) << UInt64(8 * index) }
      word = UInt64(littleEndian: word)
      var at = start
      while at &+ 8 <= bytes.count {
        let masked = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ word
        unsafe bytes.storeBytes(of: masked, toByteOffset: at, as: UInt64.self)
        at &+= 8
      }
      while at < bytes.count {
        unsafe bytes[at] ^= span[(at &- start) & 3]
        at &+= 1
      }
    }
  }
}
