/// The elements of an array, one after the other.
struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
  let storage: TapeStorage
  private let total: Int
  private var at: Int
  private(set) var currentIndex = 0

  init(storage: TapeStorage, index: Int) {
    self.storage = storage
    total = Int(storage.node(index).end)
    at = index + 1
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { total }
  var isAtEnd: Bool { currentIndex >= total }

  /// Calls `body` with the next element, and advances when `body` returns.
  @inline(__always)
  private mutating func next<Value>(_ body: (Int) throws -> Value) throws -> Value {
    guard currentIndex < total else { throw exhausted(Value.self) }
    let value: Value
    do { value = try body(at) } catch { throw decodingError(error, prefixedBy: JSONKey(index: currentIndex)) }
    at = Int(storage.node(at).next)
    currentIndex &+= 1
    return value
  }

  @inline(never)
  private func exhausted(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type, .init(codingPath: [JSONKey(index: currentIndex)], debugDescription: "The array ends after \(total)."))
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < total else { throw exhausted(Optional<Any>.self) }
    guard storage.isNull(at) else { return false }
    at += 1
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { [storage] in try storage.bool($0) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { [storage] in try storage.string($0) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { [storage] in try storage.double($0) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { [storage] in try storage.float($0) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { [storage] in try storage.integer($0) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { [storage] in try storage.integer($0) } }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { [storage] in try storage.decode(type, $0) }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next { [storage] in try TapeDecoder(storage: storage, index: $0).container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { [storage] in try TapeDecoder(storage: storage, index: $0).unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder {
    try next { [storage] in TapeDecoder(storage: storage, index: $0) }
  }
}
