import CommandLineTool
import Synchronization
import Testing

private final class Kept: Sendable {
  private let kept = Mutex("")

  var text: String { kept.withLock { $0 } }

  func add(_ text: String) { kept.withLock { $0 += text } }
}

@Suite(.timeLimit(.minutes(1))) struct `A text that is shown` {
  @Test func `has foreign pieces escaped, and the tool's own words as they are`() {
    let foreign = "\u{1b}]0;title\u{7}\n\u{202e}x"
    let text: ShownText = "\u{1b}[1mName:\u{1b}[0m \(foreign)"
    #expect(text.description == "\u{1b}[1mName:\u{1b}[0m \\u{1b}]0;title\\u{7}\\n\\u{202e}x")
    #expect("<\(text)>" as ShownText == ShownText(verbatim: "<\(text.description)>"), "it is not escaped again")
    #expect(("a\(5)" + "b\(foreign)" as ShownText).description == "a5b\\u{1b}]0;title\\u{7}\\n\\u{202e}x")
  }

  @Test func `has foreign pieces cut, each for itself, and says how much is missing`() {
    let title = String(repeating: "x", count: 1 << 20)
    let text: ShownText = "\(title): \(title)"
    let cut = String(repeating: "x", count: 2000) + "… (1046576 bytes left out)"
    #expect(text.description == "\(cut): \(cut)")
    // One character with a million accents.
    let accents = "e" + String(repeating: "\u{301}", count: 1 << 20)
    #expect(ShownText(accents).description.utf8.count < 2100)
  }

  @Test func `is whole where the user asked for it`() {
    let text = String(repeating: "x\n\u{9b}", count: 2000)
    #expect(ShownText(lines: text).description == String(repeating: "x\n\\u{9b}", count: 2000))
    #expect(ShownText(whole: text).description == String(repeating: "x\\n\\u{9b}", count: 2000))
  }

  @Test(arguments: [
    ("\u{7f}", #"\u007f"#), ("\u{9b}2J", #"\u009b2J"#), ("\u{202e}a\u{2066}", #"\u202ea\u2066"#),
    ("\u{2028}", #"\u2028"#),
    ("\u{61c}\u{200e}", #"\u061c\u200e"#), ("\u{e0067}", #"\udb40\udc67"#), ("Grüße 👩‍🚀", "Grüße 👩‍🚀"),
  ])
  func `is JSON of the same value without what steers`(text: String, written: String) {
    #expect(ShownText(json: "{\n  \"a\": \"\(text)\"\n}\n").description == "{\n  \"a\": \"\(written)\"\n}\n")
  }

  @Test func `is data unchanged for a program, and escaped for a person`() {
    for (terminal, shown) in [(Terminal.none, "a\u{1b}\n"), (Terminal(width: 80, showsStyles: true), "a\\u{1b}\n")] {
      let kept = Kept()
      Console(terminal: terminal, output: { kept.add($0) }, errors: { _ in }).write(data: "a\u{1b}\n")
      #expect(kept.text == shown)
    }
  }
}
