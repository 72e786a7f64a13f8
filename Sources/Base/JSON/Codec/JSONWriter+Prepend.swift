/// Writing backwards, in front of the text: for a header with a length that is known only after the body is written.
extension JSONWriter {
  @inline(__always)
  private mutating func reserveFront(_ bytes: Int) { if start < bytes { growFront(bytes) } }

  @inline(never)
  private mutating func growFront(_ bytes: Int) {
    let shift = bytes + 64
    reserve(shift)
    unsafe (buffer + start + shift).copyMemory(from: buffer + start, byteCount: length)
    start += shift
    count += shift
  }

  /// Writes one byte in front of the text.
  package mutating func prepend(byte: UInt8) {
    reserveFront(1)
    start &-= 1
    unsafe buffer.storeBytes(of: byte, toByteOffset: start, as: UInt8.self)
  }

  /// Writes bytes in front of the text.
  @unsafe package mutating func prepend(bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    reserveFront(bytes.count)
    start &-= bytes.count
    unsafe (buffer + start).copyMemory(from: base, byteCount: bytes.count)
  }

  /// Writes a constant text in front of the text.
  package mutating func prepend(_ text: StaticString) {
    unsafe prepend(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a number in decimal in front of the text.
  package mutating func prepend(_ number: Int64) {
    var rest = number.magnitude
    repeat {
      prepend(byte: UInt8(truncatingIfNeeded: 0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    if number < 0 { prepend(byte: 0x2D) }
  }
}
