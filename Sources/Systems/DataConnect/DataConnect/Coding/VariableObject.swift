import JSON

/// Writes the members of an object of variables.
struct VariableObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let members: VariableEncoder.Members
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { put(.value(.null), key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    put(try VariableEncoder.part(of: value), key)
  }
  func encode(_ value: Bool, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: String, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Double, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Float, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Int, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Int8, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Int16, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Int32, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: Int64, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: UInt, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: UInt8, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: UInt16, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: UInt32, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }
  func encode(_ value: UInt64, forKey key: Key) throws { put(try VariableEncoder.part(of: value), key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = VariableEncoder.Members()
    put(.object(nested), key)
    return KeyedEncodingContainer(VariableObject<Nested>(members: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let nested = VariableEncoder.Elements()
    put(.list(nested), key)
    return VariableList(elements: nested)
  }

  func superEncoder() -> any Encoder { VariableEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { VariableEncoder() }

  private func put(_ part: VariableEncoder.Part, _ key: Key) { members.members.append((key.stringValue, part)) }
}
