import JSON

/// Writes the elements of a list of variables.
struct VariableList: UnkeyedEncodingContainer {
  let elements: VariableEncoder.Elements
  var codingPath: [any CodingKey] { [] }
  var count: Int { elements.elements.count }

  func encodeNil() { elements.elements.append(.value(.null)) }
  func encode<Value: Encodable>(_ value: Value) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Bool) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: String) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Double) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Float) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Int) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Int8) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Int16) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Int32) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: Int64) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: UInt) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: UInt8) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: UInt16) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: UInt32) throws { elements.elements.append(try VariableEncoder.part(of: value)) }
  func encode(_ value: UInt64) throws { elements.elements.append(try VariableEncoder.part(of: value)) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let nested = VariableEncoder.Members()
    elements.elements.append(.object(nested))
    return KeyedEncodingContainer(VariableObject<Nested>(members: nested))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = VariableEncoder.Elements()
    elements.elements.append(.list(nested))
    return VariableList(elements: nested)
  }

  func superEncoder() -> any Encoder { VariableEncoder() }
}
