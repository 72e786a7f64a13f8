/// A decoder that notes what is asked of it, and answers with the plainest values.
struct TracingDecoder: Decoder {
  let trace: DecodingTrace

  var codingPath: [any CodingKey] { trace.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try trace.isDecoded(as: .members)
    return KeyedDecodingContainer(TracingKeyedContainer<Key>(trace: trace))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try trace.isDecoded(as: .elements)
    return TracingUnkeyedContainer(trace: trace)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try trace.isDecoded(as: .value)
    return TracingValueContainer(trace: trace)
  }
}

/// Members: all that are asked for are there, except those that need not be.
struct TracingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let trace: DecodingTrace

  var codingPath: [any CodingKey] { trace.path }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool {
    trace.note(key.stringValue, .anything, isRequired: false)
    return false
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    trace.note(key.stringValue, .anything, isRequired: true)
    return true
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try TracingDecoder(trace: trace.nest(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try TracingDecoder(trace: trace.nest(key.stringValue)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { TracingDecoder(trace: trace.nest("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { TracingDecoder(trace: trace.nest(key.stringValue)) }

  private func plain<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    let (schema, sample) = try trace.tracer.trace(type)
    trace.note(key.stringValue, schema, isRequired: true)
    return sample
  }

  private func absent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    trace.note(key.stringValue, try trace.tracer.reference(to: type).orNull, isRequired: false)
    return nil
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try trace.sample(type, key.stringValue) { trace.note(key.stringValue, $0, isRequired: true) }
  }

  /// A number that may be missing is there all the same while its bounds are not known: a bounded one is asked for by its
  /// generic type, and a plain one by its own.
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard type is any BoundsProbe.Type else { return try absent(type, key) }
    return try trace.sample(type, key.stringValue) { trace.note(key.stringValue, $0.orNull, isRequired: false) }
  }
}

/// The plain values.
extension TracingKeyedContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try plain(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try plain(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try plain(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try plain(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try plain(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try plain(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try plain(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try plain(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try plain(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try plain(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try plain(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try plain(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try plain(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try plain(type, key) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try absent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try absent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try absent(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try absent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try absent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try absent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try absent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try absent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try absent(type, key) }
}
