import CLinux

/// Where a string lies in the bytes, without its quotes.
package struct StringSpan {
  /// The offset of the first byte after the opening quote.
  package var start: Int
  /// The offset of the closing quote.
  package var end: Int
  /// Whether the string contains a backslash, so that it must be decoded.
  package var isEscaped: Bool

  /// Creates a span from byte offsets.
  package init(start: Int, end: Int, isEscaped: Bool) {
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }
}

extension JSONReader {
  /// Consumes a string, checking its escapes and its UTF-8, without making one.
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

  /// The index of the quote that closes a string. One word is enough for most; longer ones are gone through in blocks.
  @inline(__always)
  package func closingQuote(
    from start: Int, isEscaped: inout Bool, highBits: inout UInt64
  ) throws(JSONError) -> Int {
    var index = start
    while true {
      if index &+ 8 <= end {
        let word = word(index)
        let mark = specialBytes(of: word)
        if mark != 0 {
          let clean = mark.trailingZeroBitCount & ~7
          highBits |= word & 0x8080_8080_8080_8080 & ((1 &<< UInt64(truncatingIfNeeded: clean)) &- 1)
          index &+= clean &>> 3
        } else {
          highBits |= word & 0x8080_8080_8080_8080
          index &+= 8
          index &+= unsafe plainBytes(base + index, end &- index, &highBits)
        }
      } else {
        index &+= unsafe plainBytes(base + index, end &- index, &highBits)
      }
      guard index < end else { throw JSONError(.unexpectedEnd, at: end) }
      let found = byte(index)
      if found == 0x22 { return index }
      guard found == 0x5C else { throw JSONError(.controlCharacter, at: index) }
      isEscaped = true
      index &+= 2
      if index > end { throw JSONError(.unexpectedEnd, at: end) }
    }
  }

  /// Reads a string and decodes its escapes.
  package mutating func string() throws(JSONError) -> String {
    skipSpace()
    if let short = shortString() { return short.string }
    return text(of: try stringSpan())
  }

  /// Consumes a string of up to 15 bytes of ASCII without escapes.
  @inline(__always)
  mutating func shortString() -> ShortText? {
    // The opening quote and sixteen bytes, the last of which may be the closing quote.
    guard ShortText.isKnown, at &+ 17 <= end, byte(at) == 0x22 else { return nil }
    var (low, high): (UInt64, UInt64) = (0, 0)
    let count = Int(unsafe clinux_short_text(base + at + 1, &low, &high))
    guard count < 16, byte(at &+ 1 &+ count) == 0x22 else { return nil }
    at &+= count &+ 2
    return ShortText(low: low, high: high, count: count)
  }

  /// An array of strings.
  package mutating func strings() throws(JSONError) -> [String] {
    var elements = try beginArray()
    // Most such arrays are short. One that is written with its elements is allocated once.
    guard try nextElement(&elements) else { return [] }
    let first = try string()
    guard try nextElement(&elements) else { return [first] }
    let second = try string()
    guard try nextElement(&elements) else { return [first, second] }
    var strings = [first, second, try string()]
    while try nextElement(&elements) { strings.append(try string()) }
    return strings
  }

  /// Reads a string into the uninitialized memory of one.
  @inline(__always)
  @unsafe mutating func string(into memory: UnsafeMutableRawPointer) throws(JSONError) {
    skipSpace()
    if let short = shortString() {
      unsafe short.initialize(memory)
    } else {
      unsafe memory.initializeMemory(as: String.self, to: text(of: try stringSpan()))
    }
  }

  /// The text of a span that `stringSpan` has checked.
  @inline(__always)
  package func text(of span: StringSpan) -> String {
    if span.isEscaped { return unescaped(span) }
    if let short = shortText(span) { return short.string }
    return unsafe String(decoding: bytes(span.start, span.end), as: UTF8.self)
  }

  /// The text of a span without escapes that has up to 15 bytes, all of them ASCII.
  @inline(__always)
  func shortText(_ span: StringSpan) -> ShortText? {
    let count = span.end &- span.start
    guard count <= ShortText.longest, ShortText.isKnown, span.start &+ 16 <= end else { return nil }
    let low = word(span.start) & ShortText.mask(count)
    let high = count > 8 ? word(span.start &+ 8) & ShortText.mask(count &- 8) : 0
    return (low | high) & ShortText.highBits == 0 ? ShortText(low: low, high: high, count: count) : nil
  }

  /// Returns the bytes from `start` up to and without `end`. Valid while the reader exists.
  @inline(__always)
  package func bytes(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base + start, count: end &- start)
  }

  /// Whether the span is exactly `name`.
  @inline(__always)
  package func matches(_ span: StringSpan, _ name: StaticString) -> Bool {
    guard !span.isEscaped else { return matchesEscaped(span, name) }
    let count = name.utf8CodeUnitCount
    guard span.end &- span.start == count else { return false }
    return unsafe memoryIsEqual(base + span.start, UnsafeRawPointer(name.utf8Start), count)
  }

  @inline(never)
  func matchesEscaped(_ span: StringSpan, _ name: StaticString) -> Bool { unescaped(span).hasEqualBytes("\(name)") }

  @inline(never)
  func checkString(_ start: Int, _ end: Int, _ isEscaped: Bool) throws(JSONError) {
    try checkUTF8(start, end)
    if isEscaped { try checkEscapes(start, end) }
  }
}

/// Looks at eight bytes of a JSON string at once: the high bit of each that is a quote, a backslash or a control
/// character. Exact up to the first one; what is marked behind it may be none.
@inline(__always)
func specialBytes(of word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quote = word ^ (ones &* 0x22)
  let slash = word ^ (ones &* 0x5C)
  let marks = ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | ((word &- (ones &* 0x20)) & ~word)
  return marks & 0x8080_8080_8080_8080
}

/// How many bytes from `start` on are none of those. `highBits` is set when one is above 0x7F.
@unsafe func plainBytes(_ start: UnsafeRawPointer, _ count: Int, _ highBits: inout UInt64) -> Int {
  var hasHigh: Int32 = 0
  let plain = unsafe clinux_plain_bytes(start, count, &hasHigh)
  highBits |= UInt64(truncatingIfNeeded: hasHigh)
  return plain
}
