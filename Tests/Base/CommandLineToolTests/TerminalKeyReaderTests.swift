import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The keys of a terminal` {
  private static let whole: [(String, [TerminalKey])] = [
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA\u{1B}OB", [.up, .down]),
    ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
    ("\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}[7~\u{1B}[8~", [.home, .end, .pageUp, .pageDown, .home, .end]),
    ("\u{1B}[1;5A", [.up]), ("\u{1B}[5;2~", [.pageUp]), ("\u{1B}OM", [.enter]),
    ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
    ("j ?", [.character("j"), .character(" "), .character("?")]),
    ("\u{3}\u{1A}\u{C}", [.control("c"), .control("z"), .control("l")]),
    ("é日", [.character("é"), .character("日")]), ("\u{1B}q", [.escape, .character("q")]),
    ("\u{1B}\u{1B}[A", [.escape, .up]),
    // What means nothing here.
    ("\u{1B}[3~\u{1B}[99~\u{1B}[I\u{1B}OPk", [.character("k")]), ("\u{0}\u{1C}\u{1F}x", [.character("x")]),
    ("\u{1B}[1\u{1B}[Bx", [.down, .character("x")]),
  ]

  @Test(arguments: whole) func `are read from bytes`(text: String, keys: [TerminalKey]) {
    var reader = TerminalKeyReader()
    #expect(reader.feed(text.utf8) == keys)
    #expect(!reader.isTorn)
  }

  @Test(arguments: whole) func `are the same when their bytes come one by one`(text: String, keys: [TerminalKey]) {
    var reader = TerminalKeyReader()
    #expect(text.utf8.flatMap { reader.feed([$0]) } == keys)
    #expect(!reader.isTorn)
  }

  @Test func `are awaited while a sequence is torn`() {
    var reader = TerminalKeyReader()
    #expect(reader.feed([0x1B]) == [] && reader.isTorn)
    #expect(reader.feed([0x5B]) == [] && reader.isTorn)
    #expect(reader.feed([0x42]) == [.down] && !reader.isTorn)
    #expect(reader.feed([0xC3]) == [] && reader.isTorn)
    #expect(reader.feed([0xA9]) == [.character("é")] && !reader.isTorn)
  }

  @Test func `are an escape when nothing follows one, and nothing where a sequence breaks off`() {
    var reader = TerminalKeyReader()
    _ = reader.feed([0x1B])
    #expect(reader.flush() == [.escape] && !reader.isTorn)
    _ = reader.feed([0x1B, 0x5B, 0x31])
    #expect(reader.flush() == [] && !reader.isTorn)
    #expect(reader.feed([0x6A]) == [.character("j")])
  }

  @Test func `are not those of bytes that are no text`() {
    var reader = TerminalKeyReader()
    #expect(reader.feed([0xFF, 0x6A]) == [.character("j")])
    #expect(reader.feed([0x80, 0xC3, 0x6B]) == [.character("k")])
    #expect(reader.feed([0xF0, 0x9F, 0x6C]) == [.character("l")])
    #expect(!reader.isTorn)
  }

  @Test func `come again after a sequence without an end`() {
    var reader = TerminalKeyReader()
    let endless: [UInt8] = [0x1B, 0x5B] + Array(repeating: 0x31, count: 10_000)
    _ = reader.feed(endless)
    _ = reader.flush()
    #expect(reader.feed([0x6A]) == [.character("j")])
  }

  @Test func `are read from any bytes without a trap`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var reader = TerminalKeyReader()
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8([0x1B, 0x5B, 0x4F, 0x31, 0x7E, 0xF0, 0x9F].randomElement(using: &random) ?? 0)
      }
      let pieces = bytes.flatMap { reader.feed([$0]) } + reader.flush()
      var other = TerminalKeyReader()
      #expect(other.feed(bytes) + other.flush() == pieces, "\(bytes)")
    }
  }
}
