struct StreamUnkeyedContainer: UnkeyedEncodingContainer {
  let state: EncodingState
  let start: Int
  private(set) var count = 0

  init(state: EncodingState, start: Int) {
    self.state = state
    self.start = start
  }

  var codingPath: [any CodingKey] { [] }

  @inline(__always)
  private mutating func comma() {
    // An element that is written apart leaves no byte here, hence all three: a superclass may have begun the array.
    if count > 0 || state.count &- start > 1 || state.hasPiece(behind: start) {
      unsafe state.writer.pointee.byte(0x2C)
    }
    count &+= 1
  }

  @inline(__always)
  private mutating func putInteger(_ value: some FixedWidthInteger) {
    comma()
    unsafe state.writer.pointee.integer(value)
  }

  mutating func encodeNil() {
    comma()
    unsafe state.writer.pointee.null()
  }
  mutating func encode(_ value: Bool) {
    comma()
    unsafe state.writer.pointee.bool(value)
  }
  mutating func encode(_ value: String) {
    comma()
    unsafe state.writer.pointee.string(value)
  }
  mutating func encode(_ value: Double) throws {
    comma()
    do { try state.write(value) } catch { throw prefixed(error, by: JSONKey(index: count - 1)) }
  }
  mutating func encode(_ value: Float) throws { try encode(value.asDouble) }
  mutating func encode(_ value: Int) { putInteger(value) }
  mutating func encode(_ value: Int8) { putInteger(value) }
  mutating func encode(_ value: Int16) { putInteger(value) }
  mutating func encode(_ value: Int32) { putInteger(value) }
  mutating func encode(_ value: Int64) { putInteger(value) }
  mutating func encode(_ value: Int128) { putInteger(value) }
  mutating func encode(_ value: UInt) { putInteger(value) }
  mutating func encode(_ value: UInt8) { putInteger(value) }
  mutating func encode(_ value: UInt16) { putInteger(value) }
  mutating func encode(_ value: UInt32) { putInteger(value) }
  mutating func encode(_ value: UInt64) { putInteger(value) }
  mutating func encode(_ value: UInt128) { putInteger(value) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    comma()
    do { try state.encode(value) } catch { throw prefixed(error, by: JSONKey(index: count - 1)) }
  }

  private mutating func apart() -> EncodingState {
    comma()
    return state.apart()
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    StreamEncoder(state: apart(), start: 0).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    StreamEncoder(state: apart(), start: 0).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { StreamEncoder(state: apart(), start: 0) }
}

struct StreamValueContainer: SingleValueEncodingContainer {
  let state: EncodingState

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { unsafe state.writer.pointee.null() }
  func encode(_ value: Bool) { unsafe state.writer.pointee.bool(value) }
  func encode(_ value: String) { unsafe state.writer.pointee.string(value) }
  func encode(_ value: Double) throws { try state.write(value) }
  func encode(_ value: Float) throws { try state.write(value.asDouble) }
  func encode(_ value: Int) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: Int8) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: Int16) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: Int32) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: Int64) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: Int128) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt8) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt16) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt32) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt64) { unsafe state.writer.pointee.integer(value) }
  func encode(_ value: UInt128) { unsafe state.writer.pointee.integer(value) }

  func encode<Value: Encodable>(_ value: Value) throws {
    let start = state.count
    try state.encode(value)
    state.markWhole(from: start)
  }
}
