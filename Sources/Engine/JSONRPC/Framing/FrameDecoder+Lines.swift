import JSON

extension FrameDecoder {
  /// One message a line. CRLF and empty lines are tolerated; a line that begins with neither `{` nor `[` is noise.
  mutating func nextLine() throws(FramingError) -> Piece {
    while true {
      guard let lineFeed = lineFeed(from: start + scanned) else {
        scanned = end - start
        if scanned > limit { throw .tooLarge(limit: limit) }
        return .incomplete
      }
      let line = trimmed(start..<lineFeed)
      if line.isEmpty {
        start = lineFeed + 1
        scanned = 0
        continue
      }
      guard byte(line.lowerBound) == 0x7B || byte(line.lowerBound) == 0x5B else { return noise(upTo: lineFeed + 1) }
      if line.count > limit { throw .tooLarge(limit: limit) }
      start = lineFeed + 1
      scanned = 0
      needed = 1
      return .frame(line)
    }
  }

  /// Without the white space of JSON at both ends.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, isSpace(byte(lower)) { lower += 1 }
    while lower < upper, isSpace(byte(upper - 1)) { upper -= 1 }
    return lower..<upper
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 || byte == 0x0A }
}
