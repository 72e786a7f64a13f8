/// The members of an object. Members mostly come in the order of the type's properties, so a search begins where the
/// last one ended; the place is kept in the object's node.
struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let storage: TapeStorage
  let index: Int

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    var keys: [Key] = []
    var at = index + 1
    for _ in 0..<storage.node(index).end {
      if let key = Key(stringValue: storage.text(storage.node(at))) { keys.append(key) }
      at = Int(storage.node(at + 1).next)
    }
    return keys
  }

  /// The node of a member's value.
  @inline(__always)
  private func find(_ key: Key) -> Int? { storage.member(key.stringValue, of: index) }

  @inline(__always)
  private func need(_ key: Key) throws -> Int {
    guard let found = find(key) else { throw missing(key) }
    return found
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: [], debugDescription: "The member \"\(key.stringValue)\" is missing."))
  }

  @inline(__always)
  private func at<Value>(_ key: Key, _ body: (Int) throws -> Value) throws -> Value {
    let found = try need(key)
    do { return try body(found) } catch { throw decodingError(error, prefixedBy: key) }
  }

  /// `nil` for a member that is missing or null.
  @inline(__always)
  private func ifPresent<Value>(_ key: Key, _ body: (Int) throws -> Value) throws -> Value? {
    guard let found = find(key), !storage.isNull(found) else { return nil }
    do { return try body(found) } catch { throw decodingError(error, prefixedBy: key) }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { storage.isNull(try need(key)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try at(key) { try TapeDecoder(storage: storage, index: $0).container(keyedBy: type) }
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try at(key) { try TapeDecoder(storage: storage, index: $0).unkeyedContainer() }
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { TapeDecoder(storage: storage, index: try need(key)) }
  func superDecoder() throws -> any Decoder {
    guard let found = storage.member("super", of: index) else {
      throw DecodingError.keyNotFound(
        JSONKey("super"), .init(codingPath: [], debugDescription: "The member \"super\" is missing."))
    }
    return TapeDecoder(storage: storage, index: found)
  }
}

/// The typed members.
extension TapeKeyedContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key) { try storage.bool($0) } }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key) { try storage.string($0) } }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key) { try storage.double($0) } }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key) { try storage.float($0) } }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key) { try storage.integer($0) } }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key) { try storage.integer($0) } }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key) { try storage.integer($0) } }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key) { try storage.integer($0) } }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key) { try storage.integer($0) } }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key) { try storage.integer($0) } }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try at(key) { try storage.integer($0) } }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try at(key) { try storage.decode(type, $0) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try ifPresent(key) { try storage.bool($0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try ifPresent(key) { try storage.string($0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try ifPresent(key) { try storage.double($0) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try ifPresent(key) { try storage.float($0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try ifPresent(key) { try storage.integer($0) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try ifPresent(key) { try storage.decode(type, $0) }
  }
}
