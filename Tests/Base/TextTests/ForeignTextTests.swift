import Testing
import Text

@Suite(.timeLimit(.minutes(1)))
struct `A foreign text in a message` {
  @Test(arguments: ["a", "é", "€"])
  func `is shown up to its limit in characters, and says when it is cut`(letter: String) {
    for count in [79, 80] {
      let text = String(repeating: letter, count: count)
      #expect(text.shownInMessage() == text)
    }
    let most = String(repeating: letter, count: 80)
    #expect((most + letter).shownInMessage() == most + "…")
    #expect("abc".shownInMessage(limit: 2) == "ab…" && "ab".shownInMessage(limit: 2) == "ab")
  }

  @Test(arguments: ["\n", "\u{1B}", "\u{7F}", "\u{202E}", "\u{200B}", "\u{2028}", "\u{2029}"])
  func `shows no character that steers`(character: String) {
    #expect("a\(character)b\(character)".shownInMessage() == "a\u{FFFD}b\u{FFFD}")
  }

  @Test func `is quoted in one line, with one space for each gap`() {
    #expect(quotable("  a \n\t b\u{200B}c\u{7} d ") == "a bc d")
    #expect(quotable(" \n ") == "" && quotable("") == "")
    let most = String(repeating: "é", count: 199)
    #expect(quotable(most) == most)
    #expect(quotable(most + "abc") == most + "a…")
    let gap = String(repeating: " ", count: 4_095)
    #expect(quotable(gap + "a") == "a" && quotable(gap + " a") == "")
  }
}
