import CommandLineTool
import MultiLineText
import TerminalText
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A text at a terminal` {
  private func lines(_ markdown: String, width: Int? = 20, styled: Bool = false) throws -> [String] {
    try MultiLineText(markdown: markdown).terminal(width: width, styled: styled).map(\.description)
  }

  @Test func `breaks between words, by their width`() throws {
    #expect(try lines("The quick brown fox jumps over") == ["The quick brown fox", "jumps over"])
    #expect(try lines("日本語日本語 日本語日本語", width: 12) == ["日本語日本語", "日本語日本語"])
    #expect(try lines("abcdefghij k", width: 4) == ["abcd", "efgh", "ij k"])
    #expect(try lines("日本", width: 1) == ["日", "本"])
    #expect(try lines("The quick brown fox jumps over", width: nil) == ["The quick brown fox jumps over"])
  }

  @Test func `has marks for items, and numbers of one width`() throws {
    #expect(try lines("- one two three four five\n- b\n  1. c") == ["• one two three four", "  five", "• b", "  1. c"])
    let numbers = (1...10).map { "\($0). x" }.joined(separator: "\n")
    #expect(try lines(numbers).first == " 1. x")
    #expect(try lines(numbers).last == "10. x")
    #expect(try lines("- a\n\n- b") == ["• a", "", "• b"])
  }

  @Test func `has titles, quotes, code and rules`() throws {
    #expect(
      try lines("# T\n\np  \nq\n\n> a b c d e f g h i j\n\n```\n\tx  y\n```\n\n***", width: 12)
        == ["T", "", "p", "q", "", "│ a b c d e", "│ f g h i j", "", "        x  y", "", "────────────"])
  }

  @Test func `has tables in columns`() throws {
    #expect(
      try lines("| Name | Price |\n|---|---|\n| Bali | 5000 |\n| Yosemite | 1 |")
        == ["Name      Price", "Bali      5000", "Yosemite  1"])
    #expect(try lines("||\n|---|\n| a |") == ["a"])
    let narrow = try lines("| a | b |\n|---|---|\n| one two three | four five six |", width: 16)
    #expect(narrow.allSatisfy { displayWidth(of: $0) <= 16 } && narrow.count > 2, "\(narrow)")
  }

  @Test func `has titles where the whole first row is titles, and no more columns than are shown`() throws {
    func lines(_ rows: String) throws -> [String] {
      try MultiLineText(html: "<table>\(rows)</table>").terminal(width: nil, styled: true).map(\.description)
    }
    #expect(try lines("<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>") == ["a  b", "c"])
    #expect(try lines("<tr><th>a</th><td>b</td></tr><tr><td>c</td></tr>") == ["a  b", "c"])
    #expect(
      try lines("<tr><th>a</th><th>b</th></tr><tr><td>c</td></tr>")
        == ["\u{1b}[1ma\u{1b}[0m  \u{1b}[1mb\u{1b}[0m", "c"])
    for count in [31, 32, 33] {
      let row = String(repeating: "<td>x</td>", count: count)
      #expect(try lines("<tr>\(row)</tr>") == [Array(repeating: "x", count: min(count, 32)).joined(separator: "  ")])
    }
  }

  @Test func `has the mark of an item without words, and a column at least`() throws {
    #expect(try lines("-\n- b\n") == ["•", "• b"] && lines("1. a\n2.\n") == ["1. a", "2."])
    for width in [1, 0, -1] { #expect(try lines("ab", width: width) == ["a", "b"]) }
  }

  @Test func `tells where links lead`() throws {
    #expect(
      try lines("[Here](/content/a), <https://b.example> ![Pic](/p.png) <c@d.example>", width: nil)
        == ["Here (/content/a), https://b.example Pic (/p.png) c@d.example"])
  }

  @Test func `is styled word by word, where that is shown`() throws {
    #expect(
      try lines("**one two** _three_ <u>f</u>~~g~~", width: 8, styled: true) == [
        "\u{1b}[1mone\u{1b}[0m \u{1b}[1mtwo\u{1b}[0m", "\u{1b}[3mthree\u{1b}[0m \u{1b}[4mf\u{1b}[0m\u{1b}[9mg\u{1b}[0m",
      ])
    #expect(try lines("# T", styled: true) == ["\u{1b}[1mT\u{1b}[0m"])
    #expect(try lines("**a** b", styled: false) == ["a b"])
  }

  @Test func `lets nothing through that steers a terminal`() throws {
    let hostile = "a\u{1b}[31mb\u{202e}c\u{2066}d\u{9b}e\u{2028}f\u{200f}"
    let texts = [
      hostile, "`\(hostile)`", "```\n\(hostile)\n```", "# \(hostile)", "- \(hostile)", "[\(hostile)](/\(hostile))",
      "![\(hostile)](/a)", "| \(hostile) |\n|---|\n| \(hostile) |", "> \(hostile)",
    ]
    for text in texts {
      for line in try lines(text, width: 40) {
        #expect(
          !line.unicodeScalars.contains {
            [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
          }, "\(line.debugDescription)")
      }
    }
  }

  @Test func `stays within its width, whatever is nested`() throws {
    let text = String(repeating: "> ", count: 10) + "- word longword evenlongerword"
    for width in [20, 30, 40, 80] {
      #expect(try lines(text, width: width).allSatisfy { displayWidth(of: $0) <= max(width, 35) })
    }
    #expect(try lines("").isEmpty)
  }
}
