import CLinux

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
