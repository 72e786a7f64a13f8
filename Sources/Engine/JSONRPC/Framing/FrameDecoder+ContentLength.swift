extension FrameDecoder {
  /// Headers, an empty line, a body of the announced length. Other headers, any case, spaces and bare LF are
  /// tolerated; what precedes the headers is noise.
  mutating func nextBlock() throws(FramingError) -> Piece {
    if needed > 1, end - start < needed { return .incomplete }
    if let body = canonicalHeader() { return try frame(at: body.start, length: body.length) }
    var position = start
    var length: Int?
    while true {
      guard let lineFeed = lineFeed(from: position) else { return try unfinishedHeader(length) }
      let line = position..<(lineFeed > position && byte(lineFeed - 1) == 0x0D ? lineFeed - 1 : lineFeed)
      if line.isEmpty {
        if let length { return try frame(at: lineFeed + 1, length: length) }
        if position > start { return noise(upTo: lineFeed + 1) }
        start = lineFeed + 1
      } else if let name = contentLength(in: line) {
        if name.lowerBound > line.lowerBound, length == nil { return noise(upTo: name.lowerBound) }
        if length != nil { throw .duplicateLength }
        length = try value(name.upperBound..<line.upperBound)
      } else if !isHeader(line) {
        if length != nil { throw .malformedHeader(text(line)) }
        return noise(upTo: lineFeed + 1)
      }
      position = lineFeed + 1
    }
  }

  private mutating func frame(at body: Int, length: Int) throws(FramingError) -> Piece {
    if length > limit { throw .tooLarge(limit: limit) }
    guard end - body >= length else {
      needed = body - start + length
      return .incomplete
    }
    start = body + length
    needed = 1
    return .frame(body..<(body + length))
  }

  private mutating func unfinishedHeader(_ length: Int?) throws(FramingError) -> Piece {
    needed = 1
    guard end - start > Self.headerLimit else { return .incomplete }
    if length != nil { throw .headerTooLong(limit: Self.headerLimit) }
    // A program that prints without end: dropped piece by piece, but for what may be the beginning of a header.
    return noise(upTo: end - 32)
  }

  /// Exactly `Content-Length: N` and an empty line, as nearly every peer writes it.
  @inline(__always)
  private func canonicalHeader() -> (start: Int, length: Int)? {
    guard end &- start >= 21, word(start) == 0x2D74_6E65_746E_6F43, word(start &+ 8) == 0x203A_6874_676E_654C else {
      return nil
    }
    var index = start &+ 16
    var length = 0
    while index < end, index &- start < 26 {
      let digit = byte(index) &- 0x30
      if digit > 9 { break }
      length = length &* 10 &+ Int(digit)
      index &+= 1
    }
    guard index > start &+ 16, index &+ 4 <= end, byte(index) == 0x0D, byte(index &+ 1) == 0x0A,
      byte(index &+ 2) == 0x0D, byte(index &+ 3) == 0x0A
    else { return nil }
    return (index &+ 4, length)
  }

  private func word(_ index: Int) -> UInt64 {
    unsafe buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
  }

  /// `Content-Length` and its colon, in any case, anywhere in the line.
  private func contentLength(in line: Range<Int>) -> Range<Int>? {
    let name: StaticString = "content-length"
    let count = name.utf8CodeUnitCount
    var at = line.lowerBound
    while at + count < line.upperBound {
      var matched = 0
      while matched < count, unsafe byte(at + matched) | 0x20 == name.utf8Start[matched] | 0x20 { matched += 1 }
      if matched == count {
        var colon = at + count
        while colon < line.upperBound, byte(colon) == 0x20 || byte(colon) == 0x09 { colon += 1 }
        if colon < line.upperBound, byte(colon) == 0x3A { return at..<(colon + 1) }
      }
      at += 1
    }
    return nil
  }

  /// A plain decimal number with spaces around it.
  private func value(_ range: Range<Int>) throws(FramingError) -> Int {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, byte(lower) == 0x20 || byte(lower) == 0x09 { lower += 1 }
    while lower < upper, byte(upper - 1) == 0x20 || byte(upper - 1) == 0x09 { upper -= 1 }
    guard lower < upper else { throw .badLength("") }
    var length = 0
    for index in lower..<upper {
      let digit = byte(index) &- 0x30
      guard digit <= 9 else { throw .badLength(text(lower..<upper)) }
      // Once over the limit the exact number does not matter, and must not overflow.
      if length <= limit { length = length * 10 + Int(digit) }
    }
    return length
  }

  /// A name of letters, digits and hyphens, and a colon.
  private func isHeader(_ line: Range<Int>) -> Bool {
    var index = line.lowerBound
    while index < line.upperBound {
      let byte = byte(index)
      if byte == 0x3A { return index > line.lowerBound }
      let letter = byte | 0x20
      guard (letter >= 0x61 && letter <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x2D else { return false }
      index += 1
    }
    return false
  }
}
