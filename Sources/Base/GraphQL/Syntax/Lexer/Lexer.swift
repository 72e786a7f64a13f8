/// Splits bytes into the tokens of GraphQL without copying them.
///
/// `@safe`, because: no byte is loaded from outside of `base ..< base + end`, every load is preceded by a comparison
/// with `end`, and ``withLexer(_:_:)`` keeps the bytes alive for as long as the lexer exists.
@safe
struct Lexer: ~Copyable {
  private let base: UnsafePointer<UInt8>
  private let classes: UnsafePointer<UInt8>
  let end: Int
  /// Bytes read so far.
  var at = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, classes: UnsafePointer<UInt8>) {
    unsafe base = bytes.baseAddress ?? classes
    unsafe self.classes = unsafe classes
    end = bytes.count
  }

  static func withLexer<Result>(_ bytes: [UInt8], _ body: (consuming Lexer) -> Result) -> Result {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe ByteClass.table.span.withUnsafeBufferPointer { table in
        // The table has 256 entries.
        unsafe body(Lexer(bytes, classes: table.baseAddress.unsafelyUnwrapped))
      }
    }
  }

  @inline(__always)
  func byte(_ index: Int) -> UInt8 { unsafe base[index] }

  @inline(__always)
  func hasClass(_ byte: UInt8, _ mask: UInt8) -> Bool { unsafe classes[Int(byte)] & mask != 0 }

  /// The text of bytes that were checked.
  @inline(__always)
  func text(_ start: Int, _ end: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: base + start, count: end &- start), as: UTF8.self)
  }

  /// Whether bytes that were checked are this word.
  func isSame(_ start: Int, _ end: Int, _ word: StaticString) -> Bool {
    guard end &- start == word.utf8CodeUnitCount else { return false }
    for index in 0..<end &- start {
      if unsafe byte(start &+ index) != word.utf8Start[index] { return false }
    }
    return true
  }

  /// The next token, white space, commas and comments skipped.
  @inline(__always)
  mutating func next() throws(SyntaxError) -> Token {
    while at < end {
      let byte = byte(at)
      if hasClass(byte, ByteClass.space) {
        at &+= 1
        continue
      }
      let start = at
      if hasClass(byte, ByteClass.nameStart) {
        at &+= 1
        while at < end, hasClass(self.byte(at), ByteClass.nameRest) { at &+= 1 }
        return Token(kind: .name, start: start, end: at)
      }
      if byte == 0x23 {
        try skipComment()
        continue
      }
      if byte == 0xEF, start &+ 3 <= end, self.byte(start &+ 1) == 0xBB, self.byte(start &+ 2) == 0xBF {
        at &+= 3
        continue
      }
      return try mark(byte)
    }
    return Token(kind: .end, start: end, end: end)
  }

  private mutating func mark(_ byte: UInt8) throws(SyntaxError) -> Token {
    switch byte {
    case 0x7B: return single(.openBrace)
    case 0x7D: return single(.closeBrace)
    case 0x28: return single(.openParenthesis)
    case 0x29: return single(.closeParenthesis)
    case 0x3A: return single(.colon)
    case 0x24: return single(.dollar)
    case 0x21: return single(.exclamation)
    case 0x40: return single(.at)
    case 0x5B: return single(.openBracket)
    case 0x5D: return single(.closeBracket)
    case 0x3D: return single(.equals)
    case 0x7C: return single(.pipe)
    case 0x26: return single(.ampersand)
    case 0x22: return try string()
    case 0x2D, 0x30...0x39: return try number()
    case 0x2E:
      guard at &+ 3 <= end, self.byte(at &+ 1) == 0x2E, self.byte(at &+ 2) == 0x2E else {
        throw SyntaxError(
          message: "A single dot has no meaning in GraphQL.", fix: "A fragment is spread with three dots.", offset: at)
      }
      defer { at &+= 3 }
      return Token(kind: .spread, start: at, end: at &+ 3)
    default: throw unexpectedCharacter(at)
    }
  }

  @inline(__always)
  private mutating func single(_ kind: Token.Kind) -> Token {
    defer { at &+= 1 }
    return Token(kind: kind, start: at, end: at &+ 1)
  }

  private mutating func skipComment() throws(SyntaxError) {
    while at < end {
      let byte = byte(at)
      if byte == 0x0A || byte == 0x0D { return }
      if byte < 0x80 {
        if byte < 0x20 && byte != 0x09 { throw unexpectedCharacter(at) }
        at &+= 1
      } else {
        at &+= try scalarLength(at)
      }
    }
  }

  /// Says what stands where nothing of the kind can stand.
  func unexpectedCharacter(_ offset: Int) -> SyntaxError {
    let byte = byte(offset)
    if byte == 0x27 {
      return SyntaxError(
        message: "Put a string between double quotes.", fix: "Write \" in place of '.", offset: offset)
    }
    guard byte >= 0x20, byte != 0x7F else {
      return SyntaxError(
        message: "The control character U+\(hexadecimal(byte)) cannot stand here.", fix: "Remove it.", offset: offset)
    }
    guard byte >= 0x80 else {
      return SyntaxError(message: "The character \"\(text(offset, offset + 1))\" cannot stand here.", offset: offset)
    }
    guard let length = try? scalarLength(offset) else { return invalidUTF8(offset) }
    let shown = text(offset, offset + length).shownInError
    return SyntaxError(
      message: "The character \"\(shown)\" cannot stand here: names are made of ASCII letters, digits and \"_\".",
      offset: offset)
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// What a byte can begin or go on, looked up in one step.
enum ByteClass {
  static let space: UInt8 = 1
  static let nameStart: UInt8 = 2
  static let nameRest: UInt8 = 4
  static let digit: UInt8 = 8
  /// Ends a run of plain bytes in a string: a quote, a backslash, a line end, a control character, or no ASCII.
  static let special: UInt8 = 16

  static let table: InlineArray<256, UInt8> = {
    var table = InlineArray<256, UInt8>(repeating: 0)
    for byte in 0..<256 {
      var bits: UInt8 = 0
      switch UInt8(byte) {
      case 0x20, 0x09, 0x0A, 0x0D, 0x2C: bits |= space
      case 0x41...0x5A, 0x61...0x7A, 0x5F: bits |= nameStart | nameRest
      case 0x30...0x39: bits |= nameRest | digit
      default: break
      }
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x7F { bits |= special }
      table[byte] = bits
    }
    return table
  }()
}
