extension Lexer {
  /// A string or block string, checked so that its text can be made without fault.
  mutating func string() throws(SyntaxError) -> Token {
    let start = at
    if at &+ 3 <= end, byte(at &+ 1) == 0x22, byte(at &+ 2) == 0x22 { return try blockString() }
    at &+= 1
    var isEscaped = false
    while at < end {
      let byte = byte(at)
      if !hasClass(byte, ByteClass.special) || byte == 0x09 || byte == 0x7F {
        at &+= 1
      } else if byte == 0x22 {
        at &+= 1
        return Token(kind: .string, isEscaped: isEscaped, start: start, end: at)
      } else if byte == 0x5C {
        isEscaped = true
        _ = try escape()
      } else if byte >= 0x80 {
        at &+= try scalarLength(at)
      } else if byte == 0x0A || byte == 0x0D {
        break
      } else {
        throw unexpectedCharacter(at)
      }
    }
    throw SyntaxError(
      message: "This string does not end on its line.",
      fix: "End it with \", or write it as a block string between \"\"\".", offset: start)
  }

  private mutating func blockString() throws(SyntaxError) -> Token {
    let start = at
    at &+= 3
    var isEscaped = false
    while at < end {
      let byte = byte(at)
      if !hasClass(byte, ByteClass.special) || byte == 0x09 || byte == 0x7F {
        at &+= 1
      } else if byte == 0x22 {
        if at &+ 3 <= end, self.byte(at &+ 1) == 0x22, self.byte(at &+ 2) == 0x22 {
          at &+= 3
          return Token(kind: .blockString, isEscaped: isEscaped, start: start, end: at)
        }
        at &+= 1
      } else if byte == 0x5C {
        let isTripleQuote =
          at &+ 4 <= end && self.byte(at &+ 1) == 0x22 && self.byte(at &+ 2) == 0x22 && self.byte(at &+ 3) == 0x22
        isEscaped = isEscaped || isTripleQuote
        at &+= isTripleQuote ? 4 : 1
      } else if byte >= 0x80 {
        at &+= try scalarLength(at)
      } else if byte == 0x0A || byte == 0x0D {
        isEscaped = true
        at &+= 1
      } else {
        throw unexpectedCharacter(at)
      }
    }
    throw SyntaxError(message: "This block string has no end.", fix: "End it with \"\"\".", offset: start)
  }

  /// Consumes one escape, from its backslash on, and gives its scalar.
  mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
    let start = at
    guard at &+ 2 <= end else { throw badEscape(start) }
    at &+= 2
    switch byte(start &+ 1) {
    case 0x22: return "\""
    case 0x5C: return "\\"
    case 0x2F: return "/"
    case 0x62: return "\u{08}"
    case 0x66: return "\u{0C}"
    case 0x6E: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75: return try unicodeEscape(start)
    default: throw badEscape(start)
    }
  }

  private func badEscape(_ start: Int) -> SyntaxError {
    SyntaxError(
      message: "There is no such escape in a string.",
      fix: "Write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u.", offset: start)
  }

  private mutating func unicodeEscape(_ start: Int) throws(SyntaxError) -> Unicode.Scalar {
    let invalid = SyntaxError(
      message: "This escape is not a Unicode character.",
      fix: "Write \\uXXXX or \\u{X…} with hexadecimal digits, surrogates in pairs.", offset: start)
    if at < end, byte(at) == 0x7B {
      at &+= 1
      let first = at
      var value: UInt32 = 0
      while at < end, let digit = hexadecimalDigit(byte(at)) {
        value = value << 4 | digit
        guard value <= 0x10FFFF else { throw invalid }
        at &+= 1
      }
      guard at > first, at < end, byte(at) == 0x7D, let scalar = Unicode.Scalar(value) else { throw invalid }
      at &+= 1
      return scalar
    }
    guard let high = fourDigits() else { throw invalid }
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, at &+ 2 <= end, byte(at) == 0x5C, byte(at &+ 1) == 0x75 else { throw invalid }
    at &+= 2
    guard let low = fourDigits(), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF))
    else { throw invalid }
    return scalar
  }

  private mutating func fourDigits() -> UInt32? {
    guard at &+ 4 <= end else { return nil }
    var value: UInt32 = 0
    for index in at..<at &+ 4 {
      guard let digit = hexadecimalDigit(byte(index)) else { return nil }
      value = value << 4 | digit
    }
    at &+= 4
    return value
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) &- 0x30
    case 0x41...0x46, 0x61...0x66: UInt32(byte | 0x20) &- 0x57
    default: nil
    }
  }
}
