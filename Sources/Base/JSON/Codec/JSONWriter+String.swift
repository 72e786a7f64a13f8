extension JSONWriter {
  /// A string with its quotes; only quotes, backslashes and control characters are escaped.
  package mutating func string(_ text: String) {
    if let short = ShortText(text), !short.hasSpecial {
      reserve(18)
      // What is behind the text in its words is written over by the quote and by what follows.
      let target = unsafe buffer + count
      unsafe target.storeBytes(of: 0x22, as: UInt8.self)
      unsafe target.storeBytes(of: short.low, toByteOffset: 1, as: UInt64.self)
      unsafe target.storeBytes(of: short.high, toByteOffset: 9, as: UInt64.self)
      unsafe target.storeBytes(of: 0x22, toByteOffset: short.count &+ 1, as: UInt8.self)
      count &+= short.count &+ 2
      return
    }
    var text = text
    text.withUTF8 { unsafe quoted(UnsafeRawBufferPointer($0)) }
  }

  /// An array of strings.
  mutating func strings(_ strings: [String]) {
    let start = count
    for text in strings {
      byte(0x2C)
      string(text)
    }
    close(from: start, 0x5B)
  }

  @inline(__always)
  @unsafe mutating func quoted(_ text: UnsafeRawBufferPointer) {
    reserve(text.count &+ 2)
    byte(0x22)
    let stop = unsafe firstToEscape(text, from: 0)
    if stop == text.count {
      if let base = text.baseAddress { unsafe copy(base, text.count) }
    } else {
      unsafe escaped(text, stop)
    }
    byte(0x22)
  }

  /// Writes the rest of a string that needs an escape at offset `stop`.
  @inline(never)
  @unsafe mutating func escaped(_ text: UnsafeRawBufferPointer, _ stop: Int) {
    var start = 0
    var stop = stop
    while true {
      unsafe bytes(UnsafeRawBufferPointer(rebasing: text[start..<stop]))
      if stop == text.count { break }
      escape(unsafe text[stop])
      start = stop &+ 1
      stop = unsafe firstToEscape(text, from: start)
    }
  }

  /// Returns the index of the first byte at or after `start` that JSON must escape; the count if there is none.
  @inline(__always)
  @unsafe package func firstToEscape(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = text.baseAddress else { return text.count }
    if text.count &- start < 8 {
      var index = start
      while index < text.count {
        let byte = unsafe text[index]
        if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
        index &+= 1
      }
      return index
    }
    var highBits: UInt64 = 0
    return start &+ (unsafe plainBytes(base + start, text.count &- start, &highBits))
  }

  @inline(never)
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
