import JSON

/// A value of a response, read as the types that generated code has: a UUID may lack its hyphens, an `Int64` is a text.
struct ResponseValue: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: `DataConnectCodecError`.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
    do {
      return try ResponseValue(value: value, codingPath: []).decode(type)
    } catch let error as DataConnectCodecError {
      throw error
    } catch {
      throw DataConnectCodecError(.decodingFailed, "The result cannot be read: \(error)", error)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = value.objectValue else { throw mismatch("an object") }
    return KeyedDecodingContainer(ResponseObject<Key>(object: object, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let values = value.arrayValue else { throw mismatch("a list") }
    return ResponseList(values: values, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if WireUUID.isUUID(type) { return try uuid(type) }
    if type == AnyValue.self, let any = AnyValue(value) as? Value { return any }
    return try Value(from: self)
  }

  func mismatch(_ wanted: String) -> DataConnectCodecError {
    let path = codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    let place = path.isEmpty ? "The result" : "The result at \(path.shown)"
    return DataConnectCodecError(.decodingFailed, "\(place) is \(value.kind) where \(wanted) is expected.")
  }
}

// MARK: Scalars

extension ResponseValue: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try bool() }
  func decode(_ type: String.Type) throws -> String { try string() }
  func decode(_ type: Double.Type) throws -> Double { try double() }
  func decode(_ type: Float.Type) throws -> Float { try float() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try int64() }

  private func bool() throws -> Bool {
    guard let truth = value.boolValue else { throw mismatch("a truth") }
    return truth
  }

  private func string() throws -> String {
    guard let text = value.stringValue else { throw mismatch("a text") }
    return text
  }

  private func double() throws -> Double {
    guard let number = value.doubleValue else { throw mismatch("a number") }
    return number
  }

  private func float() throws -> Float { Float(try double()) }

  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    if case .unsigned(let number) = value, let exact = Integer(exactly: number) { return exact }
    guard let number = value.integerValue, let exact = Integer(exactly: number) else {
      throw mismatch("an integer that \(Integer.self) can hold")
    }
    return exact
  }

  private func int64() throws -> Int64 {
    if let text = value.stringValue, let number = Int64(text) { return number }
    return try integer()
  }

  private func uuid<Value>(_ type: Value.Type) throws -> Value {
    let text = try string()
    guard let uuid = WireUUID.value(of: text, as: type) else {
      throw DataConnectCodecError(.invalidUUID, "\(text.shown) is not a UUID: it has 32 hexadecimal digits.")
    }
    return uuid
  }
}
