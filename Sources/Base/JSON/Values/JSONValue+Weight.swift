extension JSONValue {
  /// Bytes that one value takes in memory beside its text, about: numbers and short strings take less, small objects more.
  package static let bytesOfValue = 64

  /// Bytes that the value takes in memory, about.
  package var weight: Int {
    switch self {
    case .null, .bool, .integer, .unsigned, .double: Self.bytesOfValue
    case .string(let text): Self.bytesOfValue + text.utf8.count
    case .array(let values): values.reduce(Self.bytesOfValue) { $0 + $1.weight }
    case .object(let members):
      members.reduce(Self.bytesOfValue) { $0 + Self.bytesOfValue + $1.key.utf8.count + $1.value.weight }
    }
  }

  /// Whether the value has at most so many bytes as JSON text. A small value is not written to tell: no byte of it takes
  /// more than six, and its weight counts every part.
  package func hasText(ofAtMost bytes: Int) -> Bool {
    weight <= bytes / 8 || JSONCoding.text(of: self).utf8.count <= bytes
  }
}

extension JSONCoding {
  /// Estimates the memory that a value takes, in bytes, from its JSON text.
  ///
  /// - Throws: as ``encode(_:)``.
  package static func weight(of value: some Encodable) throws -> Int {
    var writer = JSONWriter()
    try encode(value, to: &writer)
    return unsafe writer.withBytes { text in
      // What is in a string counts too: a little too much is as good.
      let values = unsafe text.count { $0 == 0x2C || $0 == 0x3A || $0 == 0x5B || $0 == 0x7B }
      return text.count + (values + 1) * JSONValue.bytesOfValue
    }
  }
}
