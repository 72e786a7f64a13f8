import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Text escaped for a terminal` {
  @Test(
    arguments: [
      ("plain text, Grüße, 日本, 👩‍🚀", "plain text, Grüße, 日本, 👩‍🚀"), ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
      ("a\r\nb\tc", "a\\r\\nb\\tc"), ("\u{9b}2J", "\\u{9b}2J"), ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
      ("\u{2028}", "\\u{2028}"), ("\u{7f}\u{0}", "\\u{7f}\\u{0}"), ("\u{feff}", "\\u{feff}"),
    ])
  func `has no scalar that steers`(text: String, escaped: String) {
    #expect(text.escapedForTerminal == escaped)
    #expect(escaped.escapedForTerminal == escaped)
  }

  @Test(arguments: [
    ("\u{200b}", "\\u{200b}"), ("\u{200c}", "\u{200c}"), ("\u{200d}", "\u{200d}"), ("\u{200e}", "\\u{200e}"),
    ("\u{2029}", "\\u{2029}"), ("\u{80}", "\\u{80}"), ("\u{9f}", "\\u{9f}"), ("\u{a0}", "\u{a0}"),
    ("\u{ad}", "\\u{ad}"), ("\u{1f}", "\\u{1f}"), (" ", " "),
  ])
  func `keeps what joins letters, and nothing else of its kind`(text: String, escaped: String) {
    #expect(text.escapedForTerminal == escaped && text.escapedForTerminalKeepingLines == escaped)
  }

  @Test func `keeps no carriage return, which would write over its line`() {
    #expect("a\r\nb\rc".escapedForTerminalKeepingLines == "a\\r\nb\\rc")
  }

  @Test func `can keep its lines`() {
    #expect("a\n\tb\u{1b}".escapedForTerminalKeepingLines == "a\n\tb\\u{1b}")
  }

  @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍🚀", 2), ("🇩🇪", 2), ("❤️", 2), ("", 0), ("ｱ", 1)])
  func `has a display width`(text: String, width: Int) {
    #expect(displayWidth(of: text) == width)
  }
}
