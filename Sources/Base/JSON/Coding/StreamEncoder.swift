/// The encoder of one value: it begins at `start` in the writer.
///
/// Coding paths are relative: an error gets its keys while it passes outwards, so the success path pays nothing.
struct StreamEncoder: Encoder {
  let state: EncodingState
  let start: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A class and its superclass ask for the same object: the second container continues it.
    if state.count == start { unsafe state.writer.pointee.byte(0x7B) }
    return KeyedEncodingContainer(StreamKeyedContainer<Key>(state: state, start: start))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if state.count == start { unsafe state.writer.pointee.byte(0x5B) }
    return StreamUnkeyedContainer(state: state, start: start)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { StreamValueContainer(state: state) }

  /// Writes a value of any kind whole.
  func write(_ value: JSONValue) throws {
    try state.write(value)
    state.markWhole(from: start)
  }
}

extension Encoder {
  /// This module's encoder, if that is what it is. Types are compared, as a cast asks the runtime each time.
  @inline(__always)
  var ownEncoder: StreamEncoder? { Self.self == StreamEncoder.self ? reinterpret(self, as: StreamEncoder.self) : nil }
}

extension StreamEncoder {
  /// Writes a value by its shape.
  func write<Value: JSONShaped>(shaped value: Value) throws {
    try unsafe withUnsafePointer(to: value) {
      try unsafe state.writer.pointee.write(Value.jsonShape.plan, UnsafeRawPointer($0))
    }
    state.markWhole(from: start)
  }
}

struct StreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: EncodingState
  let start: Int

  var codingPath: [any CodingKey] { [] }

  @inline(__always)
  private func put(_ key: Key) {
    if state.count &- start > 1 { unsafe state.writer.pointee.byte(0x2C) }
    unsafe state.writer.pointee.string(key.stringValue)
    unsafe state.writer.pointee.byte(0x3A)
  }

  @inline(__always)
  private func putInteger(_ value: some FixedWidthInteger, _ key: Key) {
    put(key)
    unsafe state.writer.pointee.integer(value)
  }

  func encodeNil(forKey key: Key) {
    put(key)
    unsafe state.writer.pointee.null()
  }
  func encode(_ value: Bool, forKey key: Key) {
    put(key)
    unsafe state.writer.pointee.bool(value)
  }
  func encode(_ value: String, forKey key: Key) {
    put(key)
    unsafe state.writer.pointee.string(value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    put(key)
    do { try state.write(value) } catch { throw prefixed(error, by: key) }
  }
  func encode(_ value: Float, forKey key: Key) throws { try encode(value.asDouble, forKey: key) }
  func encode(_ value: Int, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: Int8, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: Int16, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: Int32, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: Int64, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: Int128, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt8, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt16, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt32, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt64, forKey key: Key) { putInteger(value, key) }
  func encode(_ value: UInt128, forKey key: Key) { putInteger(value, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    put(key)
    do { try state.encode(value) } catch { throw prefixed(error, by: key) }
  }

  /// A place for a value that is written apart.
  private func apart(_ key: Key) -> EncodingState {
    put(key)
    return state.apart()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    StreamEncoder(state: apart(key), start: 0).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    StreamEncoder(state: apart(key), start: 0).unkeyedContainer()
  }
  func superEncoder(forKey key: Key) -> any Encoder { StreamEncoder(state: apart(key), start: 0) }
  func superEncoder() -> any Encoder {
    if state.count &- start > 1 { unsafe state.writer.pointee.byte(0x2C) }
    unsafe state.writer.pointee.raw("\"super\":")
    return StreamEncoder(state: state.apart(), start: 0)
  }
}

/// An encoding error with one more key in front of its path.
@inline(never)
func prefixed(_ error: any Error, by key: any CodingKey) -> any Error {
  guard case EncodingError.invalidValue(let value, let context) = error else { return error }
  let path: [any CodingKey] = [key] + context.codingPath
  return EncodingError.invalidValue(
    value, .init(codingPath: path, debugDescription: context.debugDescription, underlyingError: context.underlyingError)
  )
}

extension Float {
  /// The double with the same shortest decimal form, so that 0.1 is written as 0.1.
  var asDouble: Double { isFinite ? Double(description) ?? Double(self) : Double(self) }
}
