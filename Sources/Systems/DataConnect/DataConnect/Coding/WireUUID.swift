import FoundationEssentials

/// UUIDs as the service has them: 32 hexadecimal digits.
enum WireUUID {
  /// The digits of a value that is a UUID; `nil` of any other.
  static func text(of value: some Encodable) -> String? {
    (value as? UUID).map { uuid in String(uuid.uuidString.lowercased().filter { $0 != "-" }) }
  }

  static func isUUID(_ type: Any.Type) -> Bool { type == UUID.self }

  /// The UUID of 32 digits, with hyphens or without; `nil` for other texts, and where another type is wanted.
  static func value<Value>(of text: String, as type: Value.Type) -> Value? {
    let digits = text.utf8.filter { $0 != 0x2D }
    guard digits.count == 32, text.utf8.count <= 36 else { return nil }
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard values.count == 32 else { return nil }
    let bytes = stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    let uuid = UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
        bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
    return uuid as? Value
  }
}
