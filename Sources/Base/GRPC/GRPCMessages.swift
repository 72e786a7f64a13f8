/// Cuts messages out of the body of a call: a byte that says whether it is compressed, four of the length, and the message.
package struct GRPCMessageReader: Sendable {
  private let limit: Int
  private var bytes: [UInt8] = []

  /// - Parameter limit: the most bytes of a message.
  package init(limit: Int) { self.limit = limit }

  /// The bytes that wait for the rest of a message.
  package var byteCount: Int { bytes.count }

  /// Takes bytes as they come.
  package mutating func append(_ new: [UInt8]) {
    if bytes.isEmpty { bytes = new } else { bytes.append(contentsOf: new) }
  }

  /// Returns the next message; nil as long as it is not whole.
  ///
  /// - Throws: `unimplemented` for a message that is compressed, `resourceExhausted` for one that is too large, `internal`
  ///   for what is none.
  package mutating func next() throws(GRPCStatus) -> [UInt8]? {
    guard bytes.count >= Self.headBytes else { return nil }
    switch bytes[0] {
    case 0: break
    case 1:
      throw GRPCStatus(.unimplemented, "The message is compressed. This server takes messages as they are (identity).")
    default: throw GRPCStatus(.internal, "The message begins with a byte that is neither 0 nor 1.")
    }
    let length = bytes[1...4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else {
      throw GRPCStatus(.resourceExhausted, "The message has \(length) bytes; \(limit) are the most.")
    }
    guard bytes.count >= Self.headBytes + length else { return nil }
    let message = Array(bytes[Self.headBytes..<Self.headBytes + length])
    bytes.removeFirst(Self.headBytes + length)
    return message
  }

  private static let headBytes = 5

  /// Returns a message with what stands before it.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    let count = UInt32(clamping: message.count)
    var bytes: [UInt8] = [0, UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    bytes.reserveCapacity(headBytes + message.count)
    bytes.append(contentsOf: message)
    return bytes
  }
}
