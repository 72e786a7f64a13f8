import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A long line` {
  @Test(arguments: [
    ("one two three", 20, ["one two three"]), ("one two three", 8, ["one two", "three"]),
    ("  two words", 6, ["  two", "words"]), ("", 4, [""]), ("日本 語", 5, ["日本", "語"]),
    ("see https://example.com/x", 10, ["see", "https://ex", "ample.com/", "x"]),
  ]) func `is broken between words`(text: String, width: Int, lines: [String]) {
    #expect(wrapped("\(text)", toWidth: width, long: broken).map(\.description) == lines)
  }

  @Test func `loses nothing, whatever the width`() {
    let text = "  Ein Satz mit langen Wörtern: Donaudampfschifffahrtsgesellschaft 日本語 und 👩‍👩‍👧‍👦."
    for width in 2...90 {
      let lines = wrapped("\(text)", toWidth: width, long: broken)
      #expect(lines.allSatisfy { $0.width <= width })
      #expect(lines.map(\.description).joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
