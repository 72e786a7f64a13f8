/// A key that a user presses at a terminal.
package enum TerminalKey: Sendable, Hashable {
  case up, down, left, right, home, end, pageUp, pageDown
  case enter, escape, tab, backspace
  /// A character that is typed; a space, too.
  case character(Character)
  /// Ctrl and a letter, in lower case.
  case control(Character)
}

/// Reads keys out of the bytes of a terminal in raw mode. Pure: what comes in pieces is put together.
package struct TerminalKeyReader: Sendable {
  /// The bytes of an escape sequence, at most; no key sends more.
  static let longestSequence = 32

  private var rest: [UInt8] = []

  /// Creates a reader that has read nothing.
  package init() {}

  /// Whether a sequence or a character has begun and not ended. When nothing follows within some milliseconds, nothing will:
  /// see ``flush()``.
  package var isTorn: Bool { !rest.isEmpty }

  /// The keys that are whole now. Sequences that mean nothing here are left out.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    rest += bytes
    var keys: [TerminalKey] = []
    while let first = rest.first {
      let taken = first == 0x1B ? sequence(&keys) : first < 0x20 || first == 0x7F ? control(&keys) : text(&keys)
      guard taken else { break }
    }
    return keys
  }

  /// Nothing more comes: a lone escape byte is the key, and a torn sequence is dropped.
  package mutating func flush() -> [TerminalKey] {
    defer { rest = [] }
    return rest == [0x1B] ? [.escape] : []
  }

  private mutating func control(_ keys: inout [TerminalKey]) -> Bool {
    switch rest.removeFirst() {
    case 0x09: keys.append(.tab)
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x08, 0x7F: keys.append(.backspace)
    case let byte where (0x01...0x1A).contains(byte):
      keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    default: break
    }
    return true
  }

  /// One character of UTF-8; bytes that are none are left out.
  private mutating func text(_ keys: inout [TerminalKey]) -> Bool {
    let lead = rest[0]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    let followers = rest.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }.count
    if followers < length - 1, rest.count == followers + 1 { return false }
    let bytes = rest.prefix(followers + 1)
    if let text = String(validating: bytes, as: UTF8.self) { keys += text.map { .character($0) } }
    rest.removeFirst(bytes.count)
    return true
  }

  /// `ESC [ … letter`, `ESC [ … ~` and `ESC O letter`. An escape before anything else is the key itself.
  private mutating func sequence(_ keys: inout [TerminalKey]) -> Bool {
    guard rest.count > 1 else { return false }
    guard rest[1] == 0x5B || rest[1] == 0x4F else {
      keys.append(.escape)
      rest.removeFirst()
      return true
    }
    var end = 2
    while end < rest.count, (0x20...0x3F).contains(rest[end]), end < Self.longestSequence { end += 1 }
    guard end < rest.count else { return false }
    if (0x40...0x7E).contains(rest[end]) {
      if let key = Self.key(String(decoding: rest[2..<end], as: UTF8.self), rest[end]) { keys.append(key) }
      end += 1
    }
    // What is no sequence is dropped up to where it stops being one.
    rest.removeFirst(end)
    return true
  }

  private static func key(_ parameters: String, _ final: UInt8) -> TerminalKey? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x4D: .enter
    case 0x7E: numbered[String(parameters.prefix { $0 != ";" })]
    default: nil
    }
  }

  private static let numbered: [String: TerminalKey] = [
    "1": .home, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
  ]
}
