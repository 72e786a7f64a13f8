extension Lexer {
  /// Reads an integer or a float as text. The reader of the token converts it, so no number is too large here.
  mutating func number() throws(SyntaxError) -> Token {
    let start = at
    var kind = Token.Kind.integer
    if byte(at) == 0x2D { at &+= 1 }
    let first = at
    try digits()
    if byte(first) == 0x30, at &- first > 1 {
      throw SyntaxError(message: "A number does not begin with a 0 before other digits.", offset: start)
    }
    if at < end, byte(at) == 0x2E {
      kind = .float
      at &+= 1
      try digits()
    }
    if at < end, byte(at) | 0x20 == 0x65 {
      kind = .float
      at &+= 1
      if at < end, byte(at) == 0x2B || byte(at) == 0x2D { at &+= 1 }
      try digits()
    }
    if at < end, byte(at) == 0x2E || hasClass(byte(at), ByteClass.nameStart) {
      throw SyntaxError(
        message: "A number is followed by \"\(text(at, at + 1))\".", fix: "Put a space or a comma between them.",
        offset: at)
    }
    return Token(kind: kind, start: start, end: at)
  }

  private mutating func digits() throws(SyntaxError) {
    let start = at
    while at < end, hasClass(byte(at), ByteClass.digit) { at &+= 1 }
    if at == start { throw SyntaxError(message: "A number lacks a digit here.", offset: at) }
  }
}
