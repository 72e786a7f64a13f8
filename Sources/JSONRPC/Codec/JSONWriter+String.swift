extension JSONWriter {
  /// A string with its quotes; only quotes, backslashes and control characters are escaped.
  @inlinable
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { unsafe quoted(UnsafeRawBufferPointer($0)) }
  }

  @inlinable @inline(__always)
  @unsafe mutating func quoted(_ text: UnsafeRawBufferPointer) {
    room(text.count &+ 2)
    byte(0x22)
    var start = 0
    while true {
      let stop = unsafe firstToEscape(text, from: start)
      unsafe bytes(UnsafeRawBufferPointer(rebasing: text[start..<stop]))
      if stop == text.count { break }
      escape(unsafe text[stop])
      start = stop &+ 1
    }
    byte(0x22)
  }

  @inlinable @inline(__always)
  @unsafe func firstToEscape(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    let end = text.count
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while index &+ 8 <= end {
      let word = unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let slash = word ^ (ones &* 0x5C)
      let mark =
        (((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | ((word &- (ones &* 0x20)) & ~word)) & highs
      if mark != 0 { return index &+ (mark.trailingZeroBitCount &>> 3) }
      index &+= 8
    }
    while index < end {
      let byte = unsafe text[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
      index &+= 1
    }
    return end
  }

  @inlinable @inline(never)
  mutating func escape(_ character: UInt8) {
    byte(0x5C)
    switch character {
    case 0x22, 0x5C: byte(character)
    case 0x08: byte(0x62)
    case 0x09: byte(0x74)
    case 0x0A: byte(0x6E)
    case 0x0C: byte(0x66)
    case 0x0D: byte(0x72)
    default:
      raw("u00")
      byte(0x30 &+ character &>> 4)
      let low = character & 15
      byte(low < 10 ? 0x30 &+ low : 0x57 &+ low)
    }
  }
}
