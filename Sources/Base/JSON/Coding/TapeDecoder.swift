/// The decoder of one node.
struct TapeDecoder: Decoder {
  let storage: TapeStorage
  let index: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { kindInfo }

  @inline(__always)
  private func prepare() throws { try storage.prepare() }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try keyed(type))
  }

  func keyed<Key: CodingKey>(_ type: Key.Type) throws -> TapeKeyedContainer<Key> {
    try prepare()
    guard storage.node(index).kind == .object else {
      throw storage.mismatch([String: Any].self, "an object", index)
    }
    return TapeKeyedContainer<Key>(storage: storage, index: index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try prepare()
    guard storage.node(index).kind == .array else { throw storage.mismatch([Any].self, "an array", index) }
    return TapeUnkeyedContainer(storage: storage, index: index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try prepare()
    return TapeValueContainer(storage: storage, index: index)
  }

  /// The whole value of any kind.
  func jsonValue() throws -> JSONValue {
    try prepare()
    return storage.value(index)
  }

  /// The value of a shape, read from the text; `nil` when the text is not as expected: the containers say what is wrong.
  func shaped<Value: JSONShaped>(_ type: Value.Type) throws -> Value? {
    if index == 0, let value = storage.direct({ Value.jsonShape.read(&$0) }) { return value }
    try prepare()
    let node = storage.node(index)
    guard node.kind == .object, node.end > 0 else { return nil }
    var reader = storage.reader
    // At the quote of the first name.
    reader.at = Int(storage.node(index + 1).start) - 1
    return Value.jsonShape.read(&reader, isOpen: true)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError { storage.mismatch(type, expected, index) }
}

extension Decoder {
  /// This module's decoder, if that is what it is. Types are compared, as a cast asks the runtime each time.
  @inline(__always)
  var ownDecoder: TapeDecoder? { Self.self == TapeDecoder.self ? reinterpret(self, as: TapeDecoder.self) : nil }
}

struct TapeValueContainer: SingleValueDecodingContainer {
  let storage: TapeStorage
  let index: Int

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { storage.isNull(index) }
  func decode(_ type: Bool.Type) throws -> Bool { try storage.bool(index) }
  func decode(_ type: String.Type) throws -> String { try storage.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try storage.double(index) }
  func decode(_ type: Float.Type) throws -> Float { try storage.float(index) }
  func decode(_ type: Int.Type) throws -> Int { try storage.integer(index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try storage.integer(index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try storage.integer(index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try storage.integer(index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try storage.integer(index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try storage.integer(index) }
  func decode(_ type: UInt.Type) throws -> UInt { try storage.integer(index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try storage.integer(index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try storage.integer(index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try storage.integer(index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try storage.integer(index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try storage.integer(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try storage.decode(type, index) }
}

/// The kind of a value, for types that hold values of several kinds and must not take one for another.
///
/// A decoder reads `1.0` as an integer where one is asked for, so asking alone cannot tell `1` from `1.0`.
extension TapeDecoder {
  /// Under the key `json.kind`: `object`, `array`, `string`, `integer`, `fraction`, `bool` or `null`.
  var kindInfo: [CodingUserInfoKey: Any] {
    guard (try? storage.prepare()) != nil, let key = CodingUserInfoKey(rawValue: "json.kind") else { return [:] }
    let kind =
      switch storage.node(index).kind {
      case .object: "object"
      case .array: "array"
      case .string: "string"
      case .integer: "integer"
      case .fraction: "fraction"
      case .yes, .no: "bool"
      case .null: "null"
      }
    return [key: kind]
  }
}
