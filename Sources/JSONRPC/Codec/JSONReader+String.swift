/// Where a string lies in the bytes, without its quotes.
package struct StringSpan {
  @usableFromInline package var start: Int
  @usableFromInline package var end: Int
  @usableFromInline package var isEscaped: Bool

  @inlinable
  init(start: Int, end: Int, isEscaped: Bool) {
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }
}

extension JSONReader {
  /// Consumes a string, checking its escapes and its UTF-8, without making one.
  @inlinable
  package mutating func stringSpan() throws(JSONError) -> StringSpan {
    try expect(0x22)
    let start = at
    var isEscaped = false
    var highBits: UInt64 = 0
    let close = try closingQuote(from: start, isEscaped: &isEscaped, highBits: &highBits)
    at = close &+ 1
    if isEscaped || highBits != 0 { try checkString(start, close, isEscaped) }
    return StringSpan(start: start, end: close, isEscaped: isEscaped)
  }

  /// The index of the quote that closes a string, eight bytes at a time.
  @inlinable @inline(__always)
  func closingQuote(
    from start: Int, isEscaped: inout Bool, highBits: inout UInt64
  ) throws(JSONError) -> Int {
    var index = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while true {
      while index &+ 8 <= end {
        let word = word(index)
        let quote = word ^ (ones &* 0x22)
        let slash = word ^ (ones &* 0x5C)
        // The high bit of each byte that is a quote, a backslash or below 0x20; exact up to the first one.
        let mark =
          (((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | ((word &- (ones &* 0x20)) & ~word)) & highs
        if mark != 0 {
          let clean = mark.trailingZeroBitCount & ~7
          highBits |= word & highs & ((1 &<< UInt64(truncatingIfNeeded: clean)) &- 1)
          index &+= clean &>> 3
          break
        }
        highBits |= word & highs
        index &+= 8
      }
      guard index < end else { throw JSONError(.unexpectedEnd, at: end) }
      let found = byte(index)
      if found == 0x22 { return index }
      if found == 0x5C {
        isEscaped = true
        index &+= 2
        continue
      }
      if found < 0x20 { throw JSONError(.controlCharacter, at: index) }
      highBits |= UInt64(found & 0x80)
      index &+= 1
    }
  }

  @inlinable
  package mutating func string() throws(JSONError) -> String { text(of: try stringSpan()) }

  /// The text of a span that `stringSpan` has checked.
  @inlinable @inline(__always)
  package func text(of span: StringSpan) -> String {
    if span.isEscaped { return unescaped(span) }
    return unsafe String(decoding: bytes(span.start, span.end), as: UTF8.self)
  }

  @inlinable @inline(__always)
  func bytes(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base + start, count: end &- start)
  }

  /// Whether the span is exactly `name`.
  @inlinable @inline(__always)
  package func matches(_ span: StringSpan, _ name: StaticString) -> Bool {
    guard !span.isEscaped else { return matchesEscaped(span, name) }
    let count = name.utf8CodeUnitCount
    guard span.end &- span.start == count else { return false }
    return unsafe memoryIsEqual(base + span.start, UnsafeRawPointer(name.utf8Start), count)
  }

  @usableFromInline @inline(never)
  func matchesEscaped(_ span: StringSpan, _ name: StaticString) -> Bool { unescaped(span) == "\(name)" }

  @inlinable @inline(never)
  func checkString(_ start: Int, _ end: Int, _ isEscaped: Bool) throws(JSONError) {
    try checkUTF8(start, end)
    if isEscaped { try checkEscapes(start, end) }
  }
}

@inlinable @inline(__always)
@unsafe func memoryIsEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
  var index = 0
  while index &+ 8 <= count {
    let a = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let b = unsafe right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    if a != b { return false }
    index &+= 8
  }
  while index < count {
    let a = unsafe left.load(fromByteOffset: index, as: UInt8.self)
    let b = unsafe right.load(fromByteOffset: index, as: UInt8.self)
    if a != b { return false }
    index &+= 1
  }
  return true
}
