/// A user's action at a terminal in raw mode.
enum KeyStroke: Equatable {
  case text(Character)
  case delete, enter, tab, left, right, start, end
  /// Alt and a digit.
  case choice(Int)
  case nextKeyboard, listKeyboards, toggleSecure
  case cancel
  /// Ctrl-Z
  case stop
}

/// Reads key strokes out of a terminal's bytes.
struct KeyStrokes {
  private var rest: [UInt8] = []

  /// The strokes that are whole now. A lone escape, and sequences that mean nothing here, are left out.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [KeyStroke] {
    rest += bytes
    var strokes: [KeyStroke] = []
    while let first = rest.first {
      if first == 0x1B {
        strokes += escape()
      } else if first < 0x20 || first == 0x7F {
        rest.removeFirst()
        if let stroke = Self.controls[first] { strokes.append(stroke) }
      } else {
        let end = rest.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? rest.count
        // A character's other bytes are still to come, unless something else has come in their place.
        let whole = end < rest.count ? end : Self.wholeLength(rest[..<end])
        guard whole > 0 else { break }
        strokes += String(decoding: rest[..<whole], as: UTF8.self).map { .text($0) }
        rest.removeSubrange(..<whole)
      }
    }
    return strokes
  }

  private static let controls: [UInt8: KeyStroke] = [
    0x01: .start, 0x03: .cancel, 0x04: .cancel, 0x05: .end, 0x08: .delete, 0x09: .tab, 0x0A: .enter,
    0x0C: .listKeyboards, 0x0D: .enter, 0x0E: .nextKeyboard, 0x14: .toggleSecure, 0x1A: .stop, 0x7F: .delete,
  ]

  /// The bytes up to the last whole character; all of them when the last cannot become one.
  private static func wholeLength(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let needed = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : bytes[lead] >= 0xC0 ? 2 : 1
    return bytes.endIndex - lead >= needed ? bytes.count : lead - bytes.startIndex
  }

  /// `ESC digit`, `ESC [ letter` and `ESC [ … ~`.
  private mutating func escape() -> [KeyStroke] {
    rest.removeFirst()
    guard let second = rest.first else { return [] }
    rest.removeFirst()
    if (0x31...0x39).contains(second) { return [.choice(Int(second) - 0x31)] }
    guard second == 0x5B || second == 0x4F else { return [] }
    let end = rest.firstIndex { (0x40...0x7E).contains($0) }
    guard let end else {
      rest.removeAll()
      return []
    }
    let final = rest[end]
    rest.removeSubrange(...end)
    return switch final {
    case 0x43: [.right]
    case 0x44: [.left]
    case 0x46: [.end]
    case 0x48: [.start]
    default: []
    }
  }
}
