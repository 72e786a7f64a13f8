/// Writes a message from its last field to its first: so the length of what is inside is known when it is written, and each
/// byte is moved once, however deep the message is.
package struct ProtobufWriter {
  private var reversed: [UInt8] = []

  /// Creates an empty message.
  package init() {}

  /// The message that was written.
  package var bytes: [UInt8] { reversed.reversed() }

  /// Writes an integer, an enumeration or a boolean.
  package mutating func varint(_ value: UInt64, field number: Int) {
    put(value)
    put(tag: number, 0)
  }

  /// Writes a double.
  package mutating func double(_ value: Double, field number: Int) {
    for byte in (0..<8).reversed() { reversed.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * byte))) }
    put(tag: number, 1)
  }

  /// Writes a text.
  package mutating func text(_ text: String, field number: Int) {
    var text = text
    let count = text.withUTF8 { bytes in
      reversed.append(contentsOf: bytes.reversed())
      return bytes.count
    }
    put(UInt64(count))
    put(tag: number, 2)
  }

  /// Writes a message within this one.
  ///
  /// - Parameter body: writes its fields from the last to the first.
  package mutating func message(field number: Int, _ body: (inout ProtobufWriter) -> Void) {
    let before = reversed.count
    body(&self)
    put(UInt64(reversed.count - before))
    put(tag: number, 2)
  }

  private mutating func put(tag number: Int, _ type: UInt64) { put(UInt64(number) << 3 | type) }

  private mutating func put(_ value: UInt64) {
    if value < 128 { return reversed.append(UInt8(value)) }
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    reversed.append(contentsOf: bytes.reversed())
  }
}
