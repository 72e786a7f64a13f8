package import JSON

/// The one way in which signed metadata is written: OLPC's canonical JSON, which The Update Framework signs (4.1).
///
/// No space, names in the order of their bytes, integers only, and in texts no escape but `\"` and `\\`.
package enum CanonicalJSON {
  /// The bytes that are signed.
  ///
  /// - Returns: `nil` for a value with a fraction, which the form cannot hold.
  package static func bytes(of value: JSONValue) -> [UInt8]? {
    var bytes: [UInt8] = []
    return append(value, to: &bytes) ? bytes : nil
  }

  private static func append(_ value: JSONValue, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array("\(value)".utf8)
    case .unsigned(let value): bytes += Array("\(value)".utf8)
    case .double: return false
    case .string(let text): append(text, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (position, value) in values.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        guard append(value, to: &bytes) else { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (position, member) in sorted.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        guard append(member.value, to: &bytes) else { return false }
      }
      bytes.append(UInt8(ascii: "}"))
    }
    return true
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
