package import JSON

/// The one way in which a value is written that is signed (OLPC's canonical JSON, as TUF uses it): members by name, no
/// space, and of a text only the quotation mark and the backslash escaped.
package enum CanonicalJSON {
  /// The bytes of a value.
  ///
  /// - Throws: `malformed` for a number that is no integer of 64 bits.
  package static func bytes(_ value: JSONValue) throws(MetadataError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: JSONValue, to bytes: inout [UInt8]) throws(MetadataError) {
    switch value {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let number): bytes += Array("\(number)".utf8)
    case .unsigned, .double: throw MetadataError(.malformed, "The metadata has a number that is no integer.")
    case .string(let text): append(text, to: &bytes)
    case .array(let values):
      bytes.append(0x5B)
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        try append(value, to: &bytes)
      }
      bytes.append(0x5D)
    case .object(let object):
      bytes.append(0x7B)
      let members = object.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        append(member.key, to: &bytes)
        bytes.append(0x3A)
        try append(member.value, to: &bytes)
      }
      bytes.append(0x7D)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 || byte == 0x5C { bytes.append(0x5C) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
