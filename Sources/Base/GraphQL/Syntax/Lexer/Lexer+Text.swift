extension Lexer {
  /// The value of a string token.
  mutating func value(of token: Token) -> String {
    if token.kind == .blockString { return blockText(token) }
    if !token.isEscaped { return text(token.start &+ 1, token.end &- 1) }
    var value = ""
    var run = token.start &+ 1
    let rest = at
    defer { at = rest }
    at = run
    while at < token.end &- 1 {
      guard byte(at) == 0x5C else {
        at &+= 1
        continue
      }
      value += text(run, at)
      // The escape was checked when the token was cut.
      if let scalar = try? escape() { value.unicodeScalars.append(scalar) } else { at &+= 1 }
      run = at
    }
    return value + text(run, token.end &- 1)
  }

  /// The value of a block string: without the indentation that its lines have in common, the first line not counted,
  /// and without blank lines at its beginning and end.
  private func blockText(_ token: Token) -> String {
    let (first, last) = (token.start &+ 3, token.end &- 3)
    if !token.isEscaped, first < last, !isBlank(byte(first)) { return text(first, last) }
    let lines = lineRanges(first, last)
    var common = Int.max
    for line in lines.dropFirst() {
      let indentation = indentation(line)
      if indentation < line.count { common = min(common, indentation) }
    }
    guard let start = lines.firstIndex(where: { indentation($0) < $0.count }),
      let end = lines.lastIndex(where: { indentation($0) < $0.count })
    else { return "" }
    var value = ""
    for index in start...end {
      let line = lines[index]
      let cut = index == 0 ? 0 : min(common, line.count)
      if index > start { value += "\n" }
      value += text(line.lowerBound &+ cut, line.upperBound)
    }
    return token.isEscaped ? value.replacingBytes("\\\"\"\"", with: "\"\"\"") : value
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func indentation(_ line: Range<Int>) -> Int {
    var index = line.lowerBound
    while index < line.upperBound, isBlank(byte(index)) { index &+= 1 }
    return index &- line.lowerBound
  }

  private func lineRanges(_ first: Int, _ last: Int) -> [Range<Int>] {
    var (lines, start, index): ([Range<Int>], Int, Int) = ([], first, first)
    while index < last {
      let byte = byte(index)
      index &+= 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      lines.append(start..<index &- 1)
      if byte == 0x0D, index < last, self.byte(index) == 0x0A { index &+= 1 }
      start = index
    }
    lines.append(start..<last)
    return lines
  }
}
