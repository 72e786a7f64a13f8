extension Lexer {
  func invalidUTF8(_ offset: Int) -> SyntaxError {
    SyntaxError(message: "These bytes are not UTF-8.", fix: "Save the text as UTF-8.", offset: offset)
  }

  /// The number of bytes of the scalar that begins here with a byte above 0x7F: 2 to 4, well-formed as Unicode's
  /// table 3-7 says.
  func scalarLength(_ offset: Int) throws(SyntaxError) -> Int {
    let first = byte(offset)
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0, offset &+ length <= end else { throw invalidUTF8(offset) }
    let second = byte(offset &+ 1)
    let isRight =
      switch first {
      case 0xE0: (0xA0...0xBF).contains(second)
      case 0xED: (0x80...0x9F).contains(second)
      case 0xF0: (0x90...0xBF).contains(second)
      case 0xF4: (0x80...0x8F).contains(second)
      default: (0x80...0xBF).contains(second)
      }
    guard isRight else { throw invalidUTF8(offset) }
    for index in 2..<max(2, length) where byte(offset &+ index) & 0xC0 != 0x80 { throw invalidUTF8(offset) }
    return length
  }
}
