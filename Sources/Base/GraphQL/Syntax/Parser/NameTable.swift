/// The names met last: a document says the same ones again and again, and to compare bytes is less than to make a text.
struct NameTable: ~Copyable {
  private struct Entry {
    var start = -1
    var end = -1
    var text = ""
  }

  private static let size = 256
  private var entries = [Entry](repeating: Entry(), count: size)

  @inline(__always)
  mutating func text(_ token: Token, _ lexer: borrowing Lexer) -> String {
    let (start, end) = (token.start, token.end)
    let slot = lexer.hash(start, end) & (Self.size &- 1)
    if entries[slot].end &- entries[slot].start == end &- start, lexer.isSame(start, entries[slot].start, end &- start)
    {
      return entries[slot].text
    }
    let text = lexer.text(start, end)
    entries[slot] = Entry(start: start, end: end, text: text)
    return text
  }
}

extension Lexer {
  /// Of a name, from its length and three of its bytes.
  @inline(__always)
  func hash(_ start: Int, _ end: Int) -> Int {
    let count = end &- start
    let mixed = Int(byte(start)) &* 31 &+ Int(byte(start &+ count / 2)) &* 17 &+ Int(byte(end &- 1)) &* 7
    return mixed &+ count &* 101
  }

  @inline(__always)
  func isSame(_ start: Int, _ other: Int, _ count: Int) -> Bool {
    for index in 0..<count where byte(start &+ index) != byte(other &+ index) { return false }
    return true
  }
}
