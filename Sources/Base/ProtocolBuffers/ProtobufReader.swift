/// Why bytes are no message.
package struct ProtobufError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Creates an error of a sentence.
  package init(_ description: String) { self.description = description }

  static let cut = ProtobufError("The message ends within a field.")
}

/// One field of a message as it stands on the wire.
package struct ProtobufField: Sendable, Hashable {
  /// The wire types that are in use.
  package enum Value: Sendable, Hashable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A text, bytes, a message or packed numbers.
    case bytes(ArraySlice<UInt8>)
  }

  /// From 1 to 2^29 - 1.
  package let number: Int
  package let value: Value
}

/// Reads the fields of a message one after the other.
///
/// Source: https://protobuf.dev/programming-guides/encoding/.
package struct ProtobufReader {
  private var rest: ArraySlice<UInt8>

  /// - Parameter bytes: one message.
  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the next field; nil at the end.
  ///
  /// - Throws: for what is no field. Groups, which nobody writes any more, are refused.
  package mutating func next() throws(ProtobufError) -> ProtobufField? {
    if rest.isEmpty { return nil }
    let tag = try varint()
    guard let number = Int(exactly: tag >> 3), (1..<1 << 29).contains(number) else {
      throw ProtobufError("A field has a number that is out of range.")
    }
    switch tag & 7 {
    case 0: return ProtobufField(number: number, value: .varint(try varint()))
    case 1: return ProtobufField(number: number, value: .fixed64(try fixed(8)))
    case 2:
      let count = try varint()
      guard count <= UInt64(rest.count) else { throw .cut }
      let bytes = rest.prefix(Int(count))
      rest = rest.dropFirst(Int(count))
      return ProtobufField(number: number, value: .bytes(bytes))
    case 5: return ProtobufField(number: number, value: .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
    default: throw ProtobufError("Field \(number) has a wire type that is not read here.")
    }
  }

  /// At most ten bytes, of whose last one bit counts.
  private mutating func varint() throws(ProtobufError) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: 0, through: 63, by: 7) {
      guard let byte = rest.popFirst() else { throw .cut }
      if shift == 63, byte > 1 { break }
      result |= UInt64(byte & 127) << UInt64(shift)
      if byte < 128 { return result }
    }
    throw ProtobufError("A number is longer than ten bytes.")
  }

  /// Little-endian.
  private mutating func fixed(_ count: Int) throws(ProtobufError) -> UInt64 {
    guard rest.count >= count else { throw .cut }
    let result = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return result
  }
}

extension ProtobufField {
  /// The bytes of a text, a message or a list of bytes.
  ///
  /// - Throws: when the field has another wire type.
  package func bytes() throws(ProtobufError) -> ArraySlice<UInt8> {
    guard case .bytes(let bytes) = value else { throw ProtobufError("Field \(number) has another wire type.") }
    return bytes
  }

  /// The text of a string.
  ///
  /// - Throws: when the field has another wire type, or is not UTF-8.
  package func text() throws(ProtobufError) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw ProtobufError("The text of field \(number) is not UTF-8.")
    }
    return text
  }
}
