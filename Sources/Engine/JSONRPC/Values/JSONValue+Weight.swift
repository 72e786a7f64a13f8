extension JSONValue {
  /// What the value takes in memory, in bytes, about; see ``PeerLedger``.
  package var weight: Int {
    switch self {
    case .null, .bool, .integer, .unsigned, .double: PeerLedger.valueBytes
    case .string(let text): PeerLedger.valueBytes + text.utf8.count
    case .array(let values): values.reduce(PeerLedger.valueBytes) { $0 + $1.weight }
    case .object(let members):
      members.reduce(PeerLedger.valueBytes) { $0 + PeerLedger.valueBytes + $1.key.utf8.count + $1.value.weight }
    }
  }

  /// Whether the value has at most so many bytes as JSON text. A small value is not written to tell: no byte of it takes
  /// more than six, and its weight counts every part.
  package func hasText(ofAtMost bytes: Int) -> Bool {
    weight <= bytes / 8 || JSONCoding.text(of: self).utf8.count <= bytes
  }
}

extension ErrorObject {
  /// What the error takes in memory, in bytes, about.
  package var weight: Int { message.utf8.count + (data?.weight ?? 0) }
}

extension JSONCoding {
  /// What a value takes in memory, in bytes, about: told from its JSON text.
  ///
  /// - Throws: as ``encode(_:)``.
  package static func weight(of value: some Encodable) throws -> Int {
    var writer = JSONWriter()
    try encode(value, to: &writer)
    return unsafe writer.withBytes { text in
      // What is in a string counts too: a little too much is as good.
      let values = unsafe text.count { $0 == 0x2C || $0 == 0x3A || $0 == 0x5B || $0 == 0x7B }
      return PeerLedger.weight(bytes: text.count, values: values + 1)
    }
  }
}
