import CommandLineTool

/// Bytes of a foreign program on their way to a terminal: control characters are written out, so that they cannot steer
/// it. Pure; pieces may end inside a character.
struct TerminalText {
  /// The start of a character whose rest has not come.
  private var pending: [UInt8] = []

  /// - Returns: what can be shown now.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var all = pending + bytes
    let cut = Self.unfinished(all)
    pending = Array(all.suffix(cut))
    all.removeLast(cut)
    return Self.shown(all)
  }

  /// - Returns: what is left when nothing more comes.
  mutating func finish() -> [UInt8] {
    defer { pending = [] }
    return Self.shown(pending)
  }

  private static func shown(_ bytes: [UInt8]) -> [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).escapedForTerminalKeepingLines.utf8)
  }

  /// How many bytes at the end begin a UTF-8 character and do not end it.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }
}
