import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `What is kept of standard error` {
  private static let second: UInt64 = 1_000_000_000

  private func text(_ prefix: String, _ count: Int) -> [UInt8] {
    Array((0..<count).map { "\(prefix) \($0)\n" }.joined().utf8)
  }

  @Test func `is the first lines after the last quiet moment, and the last ones`() {
    var ring = StandardErrorRing()
    _ = ring.append(text("log", 50), at: Self.second)
    _ = ring.append(Array("Clock.swift:7: Fatal error: no visits\n".utf8), at: 2 * Self.second)
    _ = ring.append(text("frame", 100), at: 2 * Self.second + 1)
    let lines = ring.lines
    #expect(lines.count == 20)
    #expect(lines[0] == "Clock.swift:7: Fatal error: no visits")
    #expect(lines[7] == "frame 6")
    #expect(lines[8] == "… (82 lines left out)")
    #expect(lines[9] == "frame 89")
    #expect(lines[19] == "frame 99")
  }

  @Test func `begins anew after more than a tenth of a second, each time`() {
    for (pause, first) in [(100_000_000, "a 0"), (100_000_001, "a 11")] as [(UInt64, String)] {
      var ring = StandardErrorRing()
      _ = ring.append(text("before", 30), at: Self.second)
      _ = ring.append(text("a", 30), at: 2 * Self.second)
      _ = ring.append(text("b", 1), at: 2 * Self.second + pause)
      #expect(ring.lines.count == 20 && ring.lines.first == first && ring.lines.last == "b 0")
      #expect(ring.lines.contains("… (12 lines left out)") == (first == "a 0"))
    }
  }

  @Test func `is the last lines where few came at once`() {
    var ring = StandardErrorRing()
    _ = ring.append(text("log", 50), at: Self.second)
    _ = ring.append(text("end", 3), at: 2 * Self.second)
    #expect(ring.lines == (33..<50).map { "log \($0)" } + (0..<3).map { "end \($0)" })
  }

  @Test func `includes a last line without an end`() {
    var ring = StandardErrorRing()
    _ = ring.append(text("line", 20), at: Self.second)
    _ = ring.append(Array("cut".utf8), at: Self.second)
    #expect(ring.lines.count == 20)
    #expect(ring.finish() == [Array("cut".utf8)])
    #expect(ring.lines[8] == "… (2 lines left out)")
    #expect(ring.lines.last == "cut")
  }

  @Test func `is bounded, whatever comes`() {
    var ring = StandardErrorRing()
    let line = [UInt8](repeating: 0x61, count: 2 * StandardErrorRing.lineBytes) + [0x0A]
    for time in 0..<60 { _ = ring.append(line, at: UInt64(time)) }
    #expect(ring.lines.count == 20)
    #expect(ring.size <= 28 * StandardErrorRing.lineBytes)
  }

  @Test func `is cut and made safe where a line comes in pieces, and is empty where a line is`() {
    var ring = StandardErrorRing()
    #expect(ring.append(Array("one\n\ntw".utf8), at: 1) == [Array("one".utf8), []])
    #expect(ring.append(Array("o \u{1b}[2J\n".utf8), at: 2).map(StandardErrorRing.text) == ["two \\u{1b}[2J"])
    #expect(ring.append([], at: 3) == [])
    let long = [UInt8](repeating: 0x61, count: StandardErrorRing.lineBytes - 1)
    #expect(ring.append(long, at: 4) == [])
    #expect(ring.append(Array("bc\n".utf8), at: 5) == [long + [0x62]])
    #expect(ring.lines.prefix(3) == ["one", "", "two \\u{1b}[2J"])
  }

  @Test func `is all of twenty lines, and of one more the first eight and the last eleven`() {
    for count in [20, 21] {
      var ring = StandardErrorRing()
      let bytes = text("a", count)
      #expect(ring.append(bytes, at: Self.second).count == count)
      let all = (0..<count).map { "a \($0)" }
      #expect(ring.lines == (count == 20 ? all : all.prefix(8) + ["… (2 lines left out)"] + all.suffix(11)))
      #expect(ring.byteCount == bytes.count && ring.finish() == [])
    }
  }

  @Test func `ends once, and is counted whole`() {
    var ring = StandardErrorRing()
    _ = ring.append(Array("é\ncut".utf8), at: Self.second)
    // The first line is among the first ones and among the last ones.
    #expect(ring.size == 2 + 2 + 3 && ring.byteCount == 6 && ring.lines == ["é"])
    #expect(ring.finish() == [Array("cut".utf8)] && ring.size == 5 + 5)
    #expect(ring.finish() == [] && ring.lines == ["é", "cut"] && ring.byteCount == 6)
  }

  @Test(
    arguments: [
      ("a\tb", "a\tb"), ("a\rb\u{7F}", "a\\u{d}b\\u{7f}"), ("\u{202E}\u{AD}", "\\u{202e}\\u{ad}"),
      ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("e\u{301}\u{1F600}", "e\u{301}\u{1F600}"), ("", ""),
    ])
  func `is shown without what a terminal does`(text: String, shown: String) {
    #expect(Array(StandardErrorRing.printable(Array(text.utf8)).utf8) == Array(shown.utf8))
  }

  @Test func `is shown with a mark for bytes that are no text`() {
    #expect(StandardErrorRing.printable([0x61, 0xFF, 0x62, 0xC3]) == "a\u{FFFD}b\u{FFFD}")
  }
}
