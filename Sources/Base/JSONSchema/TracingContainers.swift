import JSON

/// Elements: there is one, so that a type that reads all shows what they are.
struct TracingUnkeyedContainer: UnkeyedDecodingContainer {
  let trace: DecodingTrace
  private(set) var currentIndex = 0

  init(trace: DecodingTrace) { self.trace = trace }

  var codingPath: [any CodingKey] { trace.path }
  var count: Int? { 1 }
  var isAtEnd: Bool { currentIndex > 0 }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    let (schema, sample) = try trace.tracer.trace(type)
    try trace.note(schema)
    return sample
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    throw SchemaTracingError(trace.type, "Its elements are decoded by hand.")
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw SchemaTracingError(trace.type, "Its elements are decoded by hand.")
  }

  mutating func superDecoder() throws -> any Decoder {
    throw SchemaTracingError(trace.type, "Its elements are decoded by hand.")
  }
}

/// One value: of an enumeration, its first case.
struct TracingValueContainer: SingleValueDecodingContainer {
  let trace: DecodingTrace

  var codingPath: [any CodingKey] { trace.path }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let first = try firstCase(type) { return first }
    // A number that is bounded is the value of a type of its own: its bounds have no name to be found by.
    return try trace.sample(type, "") { try trace.note($0) }
  }

  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let first = try firstCase(type) { return first }
    let (schema, sample) = try trace.tracer.trace(type)
    try trace.note(schema)
    return sample
  }

  private func firstCase<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    guard let cases = trace.cases as? [Value], let first = cases.first else { return nil }
    var schema = try trace.tracer.trace(type).schema
    (schema.minimum, schema.maximum) = (nil, nil)
    schema.values = cases.map { value in
      if let text = value as? String { return .string(text) }
      if let number = value as? any FixedWidthInteger { return JSONValue(Int64(truncatingIfNeeded: number)) }
      return .null
    }
    try trace.note(schema)
    return first
  }
  func decode(_ type: Bool.Type) throws -> Bool { try value(type) }
  func decode(_ type: String.Type) throws -> String { try value(type) }
  func decode(_ type: Double.Type) throws -> Double { try value(type) }
  func decode(_ type: Float.Type) throws -> Float { try value(type) }
  func decode(_ type: Int.Type) throws -> Int { try value(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try value(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value(type) }
}
