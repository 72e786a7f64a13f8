import Text

/// Splits the text of an expression into words.
struct CELLexer {
  let bytes: [UInt8]
  var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  func byte(_ ahead: Int = 0) -> UInt8? { position + ahead < bytes.count ? bytes[position + ahead] : nil }

  mutating func next() throws(CELError) -> CELToken {
    skipSpace()
    let start = position
    guard let first = byte() else { return CELToken(kind: .end, offset: start) }
    if let string = try string() { return CELToken(kind: string, offset: start) }
    if Self.isLetter(first) {
      while let next = byte(), Self.isLetter(next) || Self.isDigit(next) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      let isSymbol = ["in", "true", "false", "null", "nil"].contains(word)
      return CELToken(kind: isSymbol ? .symbol(word) : .name(word), offset: start)
    }
    if Self.isDigit(first) || (first == 0x2E && byte(1).map(Self.isDigit) == true) {
      return CELToken(kind: try number(), offset: start)
    }
    for length in [2, 1] where start + length <= bytes.count {
      let symbol = String(decoding: bytes[start..<(start + length)], as: UTF8.self)
      guard Self.symbols.contains(symbol) else { continue }
      position += length
      return CELToken(kind: .symbol(symbol), offset: start)
    }
    let rest = String(decoding: bytes[start...].prefix(4), as: UTF8.self)
    throw CELError("\(rest.prefix(1).shownInMessage()) means nothing here.", at: start)
  }

  private static let symbols: Set<String> = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".", ",", "(", ")", "[", "]",
    "{", "}",
  ]

  /// Space and `// comments`.
  private mutating func skipSpace() {
    while let next = byte() {
      if next == 0x2F, byte(1) == 0x2F {
        while let next = byte(), next != 0x0A { position += 1 }
      } else if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(next) {
        position += 1
      } else {
        return
      }
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isLetter(_ byte: UInt8) -> Bool {
    (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F
  }

  private mutating func number() throws(CELError) -> CELToken.Kind {
    let start = position
    let isHex = byte() == 0x30 && (byte(1) == 0x78 || byte(1) == 0x58)
    if isHex { position += 2 }
    var isDouble = false
    while let next = byte() {
      if isHex ? Self.digit(next, radix: 16) != nil : Self.isDigit(next) {
        position += 1
      } else if !isHex, next == 0x2E, !isDouble, byte(1).map(Self.isDigit) == true {
        (isDouble, position) = (true, position + 1)
      } else if !isHex, next == 0x65 || next == 0x45 {
        let isSigned = byte(1) == 0x2B || byte(1) == 0x2D
        guard byte(isSigned ? 2 : 1).map(Self.isDigit) == true else { break }
        position += isSigned ? 2 : 1
        while let next = byte(), Self.isDigit(next) { position += 1 }
        isDouble = true
        break
      } else {
        break
      }
    }
    let text = String(decoding: bytes[(isHex ? start + 2 : start)..<position], as: UTF8.self)
    if isDouble {
      // Swift reads no number that begins with its point.
      guard let value = Double("0" + text), value.isFinite, !continuesWord() else { throw misread(start) }
      return .double(value)
    }
    let isUnsigned = byte() == 0x75 || byte() == 0x55
    if isUnsigned { position += 1 }
    guard let value = UInt64(text, radix: isHex ? 16 : 10), !continuesWord() else { throw misread(start) }
    return isUnsigned ? .uint(value) : .int(value)
  }

  private func continuesWord() -> Bool { byte().map { Self.isLetter($0) || Self.isDigit($0) } ?? false }

  private func misread(_ start: Int) -> CELError {
    CELError("There is no such number, or 64 bits do not hold it.", at: start)
  }

  static func digit(_ byte: UInt8, radix: UInt32) -> UInt32? {
    let value: UInt32? =
      switch byte {
      case 0x30...0x39: UInt32(byte - 0x30)
      case 0x41...0x46: UInt32(byte - 0x41 + 10)
      case 0x61...0x66: UInt32(byte - 0x61 + 10)
      default: nil
      }
    return value.flatMap { $0 < radix ? $0 : nil }
  }
}
