extension ShapeOperation {
  /// The operation for an integer type that is not `Int`; `nil` for every other type and those of 128 bits.
  static func integer<Value: Codable>(for type: Value.Type) -> ShapeOperation? {
    if type == Int64.self { return CodableOperation<Int64>(.int) }
    if type == Int32.self { return IntegerOperation<Int32>() }
    if type == Int16.self { return IntegerOperation<Int16>() }
    if type == Int8.self { return IntegerOperation<Int8>() }
    if type == UInt.self { return IntegerOperation<UInt>() }
    if type == UInt64.self { return IntegerOperation<UInt64>() }
    if type == UInt32.self { return IntegerOperation<UInt32>() }
    if type == UInt16.self { return IntegerOperation<UInt16>() }
    if type == UInt8.self { return IntegerOperation<UInt8>() }
    return nil
  }
}

/// An integer of another width than 64 bits, or without a sign.
@safe
final class IntegerOperation<Value: FixedWidthInteger & Codable>: CodableOperation<Value>, @unchecked Sendable {
  /// What a value may be that is written plainly. The methods of a generic class are slow where they compute with its
  /// type.
  private let range = Int64(clamping: Value.min)...Int64(clamping: Value.max)

  init() { super.init(.other) }

  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    reader.values &+= 1
    reader.skipSpace()
    if let plain = reader.plainInteger(), range.contains(plain.value) {
      reader.at = plain.end
      // The lower bytes are the value, as it fits.
      unsafe withUnsafeBytes(of: plain.value.littleEndian) {
        unsafe memory.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: MemoryLayout<Value>.size)
      }
      return true
    }
    guard let value = try? reader.anyInteger(Value.self) else { return false }
    unsafe at(memory).initialize(to: value)
    return true
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    unsafe writer.integer(at(memory).pointee)
  }
}
