/// Writes text so that Markdown finds nothing in it.
enum MarkdownEscape {
  private static let always = Set("\\`*_[]<>&~|".utf8)
  private static let atStart = Set("#+-=:".utf8)

  /// Escapes a text for Markdown. A text that begins like an address would become a link that contains the backslashes,
  /// so the escaping prevents that.
  ///
  /// - Parameters:
  ///   - isAtStart: whether the text begins a line.
  ///   - isOneLine: whether the text is in a title, where a final `#` has a meaning, or in a cell.
  static func text(_ text: String, isAtStart: Bool, isOneLine: Bool) -> String {
    var kept: [UInt8] = []
    var isNumber = isAtStart
    var isStart = isAtStart
    for byte in text.utf8 {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      let endsNumber = isNumber && !isStart && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")"))
      if always.contains(byte) || (isStart && atStart.contains(byte)) || endsNumber
        || (isOneLine && byte == UInt8(ascii: "#")) || beginsAddress(byte, after: kept)
      {
        kept.append(UInt8(ascii: "\\"))
      }
      kept.append(byte)
      isNumber = isNumber && isDigit
      isStart = false
    }
    // Before a link it would make a picture of it.
    if kept.last == UInt8(ascii: "!") { kept.insert(UInt8(ascii: "\\"), at: kept.count - 1) }
    return String(decoding: kept, as: UTF8.self)
  }

  private static func beginsAddress(_ byte: UInt8, after kept: [UInt8]) -> Bool {
    func follows(_ word: String) -> Bool {
      kept.count >= word.utf8.count
        && zip(kept.suffix(word.utf8.count), word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
    switch byte {
    case UInt8(ascii: ":"): return follows("http") || follows("https") || follows("ftp")
    case UInt8(ascii: "."): return follows("www")
    default: return false
    }
  }

  /// An address between angle brackets, unless nothing in it could end it early.
  static func address(_ address: String) -> String {
    let plain = Set("-._/:?#@!$'*+,;=%".utf8)
    if address.utf8.allSatisfy({ plain.contains($0) || isAlphanumeric($0) }) { return address }
    var kept: [UInt8] = [UInt8(ascii: "<")]
    for byte in address.utf8 {
      if "<>\\&|".utf8.contains(byte) { kept.append(UInt8(ascii: "\\")) }
      kept.append(byte)
    }
    return String(decoding: kept + [UInt8(ascii: ">")], as: UTF8.self)
  }

  static func isPunctuation(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
    if scalar.isASCII { return !isAlphanumeric(UInt8(scalar.value)) && scalar.value > 0x20 }
    switch scalar.properties.generalCategory {
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .dashPunctuation,
      .connectorPunctuation, .otherPunctuation:
      return true
    default: return false
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
  }
}
