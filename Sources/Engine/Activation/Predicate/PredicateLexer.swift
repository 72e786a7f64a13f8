/// Cuts the text of a predicate into words.
struct PredicateLexer {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  /// Every word, and the end as the last.
  static func tokens(of text: [UInt8]) throws(PredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(text)
    var tokens: [PredicateToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private static let symbols = [
    "==", "=<", "=>", "<=", "<>", ">=", "!=", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".",
    "-",
  ]

  private mutating func next() throws(PredicateError) -> PredicateToken {
    while position < text.count, Self.isSpace(text[position]) { position += 1 }
    let start = position
    guard start < text.count else { return PredicateToken(kind: .end, range: start..<start) }
    let kind: PredicateToken.Kind
    switch text[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): kind = .string(try string())
    case UInt8(ascii: "$"): kind = .variable(try name(after: "$"))
    case UInt8(ascii: "@"): kind = .operation(try name(after: "@"))
    case UInt8(ascii: "#"): kind = .word(try name(after: "#"), isEscaped: true)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try number())
    case let byte where Self.isWord(byte): kind = .word(word(), isEscaped: false)
    default: kind = .symbol(try symbol())
    }
    return PredicateToken(kind: kind, range: start..<position)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private mutating func word() -> String {
    let start = position
    while position < text.count, Self.isWord(text[position]) { position += 1 }
    // UTI-CONFORMS-TO and UTI-EQUALS are the only words with hyphens.
    if String(decoding: text[start..<position], as: UTF8.self).uppercased() == "UTI" {
      while position < text.count, Self.isWord(text[position]) || text[position] == UInt8(ascii: "-") { position += 1 }
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func name(after mark: String) throws(PredicateError) -> String {
    let start = position
    position += 1
    guard position < text.count, Self.isWord(text[position]) else {
      throw PredicateError("There is no name after “\(mark)”.", at: start)
    }
    return word()
  }

  private mutating func number() throws(PredicateError) -> Double {
    let start = position
    func digits() -> Bool { position < text.count && Self.isDigit(text[position]) }
    while digits() { position += 1 }
    if position + 1 < text.count, text[position] == UInt8(ascii: "."), Self.isDigit(text[position + 1]) {
      position += 1
      while digits() { position += 1 }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, "+-".utf8.contains(text[position]) { position += 1 }
      while digits() { position += 1 }
    }
    let digitsEnd = position
    while position < text.count, Self.isWord(text[position]) { position += 1 }
    let shown = String(decoding: text[start..<position], as: UTF8.self)
    guard digitsEnd == position, let number = Double(shown), number.isFinite else {
      throw PredicateError("“\(shown)” is not a number.", at: start, recovery: "Write digits, for example 1 or 2.5.")
    }
    return number
  }

  private mutating func string() throws(PredicateError) -> String {
    let start = position
    let quote = text[position]
    position += 1
    var bytes: [UInt8] = []
    while position < text.count, text[position] != quote {
      if text[position] == UInt8(ascii: "\\") {
        position += 1
        bytes += try escape()
      } else {
        bytes.append(text[position])
        position += 1
      }
    }
    guard position < text.count else {
      throw PredicateError("The text in quotes has no end.", at: start, recovery: "Close it with the same quote.")
    }
    position += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a backslash and the characters after it mean; the position is behind the backslash.
  private mutating func escape() throws(PredicateError) -> [UInt8] {
    guard position < text.count else { return [] }
    let byte = text[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      let digits = String(decoding: text[position..<min(position + 4, text.count)], as: UTF8.self)
      // A sign before them would be read as well.
      guard digits.utf8.count == 4, digits.utf8.allSatisfy(Self.isWord), let value = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(value)
      else {
        throw PredicateError(
          "“\\u\(digits)” is not a character.", at: position - 2, recovery: "Write four hexadecimal digits.")
      }
      position += 4
      return Array(String(scalar).utf8)
    default: return [byte]
    }
  }

  private mutating func symbol() throws(PredicateError) -> String {
    let start = position
    for symbol in Self.symbols where text[start...].starts(with: symbol.utf8) {
      position += symbol.utf8.count
      return symbol
    }
    if text[start] == UInt8(ascii: "%") {
      throw PredicateError(
        "A predicate in a manifest has no values to put in place of “%”.", at: start,
        recovery: "Write the value itself.")
    }
    let shown = String(decoding: text[start...].prefix(1), as: UTF8.self)
    throw PredicateError(
      "“\(shown)” is not part of a predicate here.", at: start,
      recovery: "Use comparisons, AND, OR, NOT, ANY, ALL, NONE, SUBQUERY and key paths; there is no arithmetic.")
  }
}

/// A word of a predicate, with its range in bytes.
struct PredicateToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A word of letters, digits and underscores; whether it was escaped with `#`, so that it is no keyword.
    case word(String, isEscaped: Bool)
    /// A variable: `$name`.
    case variable(String)
    /// An operation: `@name`.
    case operation(String)
    /// A quoted string, without its quotes and escapes.
    case string(String)
    case number(Double)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>

  /// The keyword, in capitals, when the token can be one.
  var keyword: String? {
    if case .word(let text, isEscaped: false) = kind { text.uppercased() } else { nil }
  }

  func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }
}
