import Text

/// The form of build settings in a text. Pure; reads foreign texts, in one pass.
enum BuildSettingText {
  /// A part of a text.
  enum Piece: Equatable {
    case plain(String)
    /// The text between the brackets, which may contain settings itself.
    case setting(String)
  }

  /// A setting with its operators: `NAME:operator:operator`.
  struct Setting {
    let name: String
    /// The value of the operator `default=VALUE`, or nil.
    private(set) var standard: String?
    private var operators: [Operator] = []

    /// - Returns: `nil` for what is no name, or has an operator that is not known.
    init?(_ text: String) {
      // By bytes: an accent makes one character with the sign before it.
      var parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }[...]
      name = parts.popFirst() ?? ""
      guard isName(name) else { return nil }
      while let part = parts.popFirst() {
        let mark = "default=".utf8
        if part.utf8.starts(with: mark) {
          let value = String(decoding: part.utf8.dropFirst(mark.count), as: UTF8.self)
          standard = ([value] + parts).joined(separator: ":")
          break
        }
        guard let known = Operator(rawValue: part) else { return nil }
        operators.append(known)
      }
    }

    func apply(to value: String) -> String { operators.reduce(value) { $1.apply(to: $0) } }
  }

  enum Operator: String {
    case rfc1034identifier, c99extidentifier, identifier, lower, upper, file, base, dir, suffix

    func apply(to value: String) -> String {
      switch self {
      case .rfc1034identifier:
        String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") ? $0 : "-" })
      case .c99extidentifier, .identifier: Self.word(value)
      case .lower: value.lowercased()
      case .upper: value.uppercased()
      case .file: Self.parts(value).file
      case .base: Self.parts(value).base
      case .dir: Self.parts(value).folder
      case .suffix: Self.parts(value).ending
      }
    }

    private static func word(_ text: String) -> String {
      let word = String(text.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
      return word.first?.isNumber == true ? "_" + word.dropFirst() : word
    }

    private static func parts(_ path: String) -> (folder: String, file: String, base: String, ending: String) {
      let parts = path.pathParts(keepsEmpty: true)
      let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
      let file = String(parts[parts.count - 1])
      guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return (folder, file, file, "") }
      return (folder, file, String(file[..<dot]), String(file[dot...]))
    }
  }

  /// Whether a text can name a setting: letters, digits and underscores, no digit first.
  static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first), text.utf8.count <= 200 else { return false }
    return text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
  }

  /// Whether a text is worth a closer look.
  static func mayHaveSettings(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "$")) }

  /// The name in what stands between the brackets, for a message.
  static func name(of inner: String) -> String { String(inner.prefix { $0 != ":" }.prefix(200)) }

  /// The names of the settings that a text has.
  static func names(in text: String) -> [String] {
    guard mayHaveSettings(text) else { return [] }
    return pieces(of: text).compactMap { if case .setting(let inner) = $0 { name(of: inner) } else { nil } }
  }

  /// The parts of a text. A dollar sign that begins no setting is plain.
  static func pieces(of text: String) -> [Piece] {
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var plain = 0
    var index = 0
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "$"), let end = end(of: bytes, from: index + 1),
        case let inner = string(index + 2..<end), isSetting(inner)
      else {
        index += 1
        continue
      }
      if plain < index { pieces.append(.plain(string(plain..<index))) }
      pieces.append(.setting(inner))
      index = end + 1
      plain = index
    }
    if plain < bytes.count { pieces.append(.plain(string(plain..<bytes.count))) }
    return pieces
  }

  private static func isSetting(_ inner: String) -> Bool {
    let name = inner.prefix { $0 != ":" }
    return isName(name) || name.contains("$")
  }

  /// The bracket that closes the one at a place; those of settings in between are skipped. At most 512 bytes away, so
  /// that a text of brackets without end is not gone through for each of them.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    let closing: UInt8
    switch bytes[start] {
    case UInt8(ascii: "("): closing = UInt8(ascii: ")")
    case UInt8(ascii: "{"): closing = UInt8(ascii: "}")
    default: return nil
    }
    var depth = 0
    for index in start + 1..<min(bytes.count, start + 512) {
      if bytes[index] == bytes[start], bytes[index - 1] == UInt8(ascii: "$") {
        depth += 1
      } else if bytes[index] == closing {
        if depth == 0 { return index }
        depth -= 1
      }
    }
    return nil
  }
}
