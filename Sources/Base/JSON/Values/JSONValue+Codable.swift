/// With this module's coder these are read and written directly; with any other coder, member by member.
extension JSONValue: Codable {
  /// Reads any value. Other decoders than this module's are asked type by type, and may not tell `1` from `1.0`.
  public init(from decoder: any Decoder) throws {
    if let wire = decoder.ownDecoder {
      self = try wire.jsonValue()
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode(JSONObject.self))
    }
  }

  /// Writes the value as what it is, not as an enumeration.
  public func encode(to encoder: any Encoder) throws {
    if let wire = encoder.ownEncoder {
      try wire.write(self)
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let object): try container.encode(object)
    }
  }
}

extension JSONObject: Codable {
  /// Reads an object of any shape. The order of the members is kept only with this module's decoder.
  ///
  /// - Throws: `DecodingError` when it is another kind of value.
  public init(from decoder: any Decoder) throws {
    if let wire = decoder.ownDecoder {
      guard case .object(let object) = try wire.jsonValue() else { throw wire.mismatch(JSONObject.self, "an object") }
      self = object
      return
    }
    let container = try decoder.container(keyedBy: JSONKey.self)
    self.init()
    for key in container.allKeys { self[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
  }

  /// Writes the members in their order.
  public func encode(to encoder: any Encoder) throws {
    if let wire = encoder.ownEncoder {
      try wire.write(.object(self))
      return
    }
    var container = encoder.container(keyedBy: JSONKey.self)
    for (key, value) in self { try container.encode(value, forKey: JSONKey(key)) }
  }
}
