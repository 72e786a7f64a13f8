import CommandLineTool
import JSON
import MultiLineText
import Testing

@testable import FeatureCommands

/// Pictures at terminals that show them.
@Suite(.timeLimit(.minutes(1)))
struct `A picture at a terminal` {
  private static let terminal = Terminal(width: 80, showsStyles: true)

  private static func text(_ bytes: [UInt8], _ environment: [String: String]) -> String? {
    TerminalPictures(terminal, environment: environment)?.text(of: bytes).description
  }

  private static let kitty = ["KITTY_WINDOW_ID": "1"]
  private static let small = "\u{1B}_Ga=T,f=100,m=0;AQID\u{1B}\\\n"

  @Test func `is written as the terminal reads it`() {
    for environment in [Self.kitty, ["TERM": "xterm-kitty"], ["TERM_PROGRAM": "ghostty"]] {
      #expect(Self.text([1, 2, 3], environment) == Self.small, "\(environment)")
    }
    for program in ["iTerm.app", "WezTerm"] {
      #expect(
        Self.text([1, 2, 3], ["TERM_PROGRAM": program])
          == "\u{1B}]1337;File=inline=1;size=3:AQID\u{7}\n", "\(program)")
    }
  }

  @Test func `is not written to another one, or into a file`() {
    for environment in [
      [:], ["KITTY_WINDOW_ID": ""], ["TERM": "xterm"], ["TERM_PROGRAM": "vscode"],
    ] {
      #expect(TerminalPictures(Self.terminal, environment: environment) == nil, "\(environment)")
    }
    #expect(TerminalPictures(.none, environment: Self.kitty) == nil)
  }

  @Test func `goes in pieces of 4096 characters`() {
    let whole = String(repeating: "AAAA", count: 1024)
    let zeros = [UInt8](repeating: 0, count: 3072)
    #expect(Self.text(zeros, Self.kitty) == "\u{1B}_Ga=T,f=100,m=0;\(whole)\u{1B}\\\n")
    #expect(
      Self.text(zeros + [1, 2, 3], Self.kitty)
        == "\u{1B}_Ga=T,f=100,m=1;\(whole)\u{1B}\\\u{1B}_Gm=0;AQID\u{1B}\\\n")
  }

}

/// Members of content fragments.
@Suite(.timeLimit(.minutes(1)))
struct `A member of a fragment` {
  static let texts: [(json: String, text: String?)] = [
    (#""a""#, "a"), (#""""#, nil), ("null", nil), ("[1]", nil), ("{}", nil), ("5", "5"),
    ("true", "true"),
  ]

  @Test(arguments: texts) func `is a text or a number for people`(json: String, text: String?)
    throws
  {
    #expect(try JSONValue(parsing: json).plainText == text)
  }

  @Test func `is a text of several lines in the first of its forms that can be read`() throws {
    func nodes(_ json: String) throws -> [MultiLineText.Node]? {
      MultiLineText(member: try JSONValue(parsing: json))?.nodes
    }
    let (html, markdown) = (
      try MultiLineText(html: "<p>h</p>").nodes, try MultiLineText(markdown: "m\n").nodes
    )
    let (plain, other) = (MultiLineText(plaintext: "p").nodes, MultiLineText(plaintext: "s").nodes)
    #expect(html != markdown && markdown != plain)
    let json = #"[{"nodeType": "paragraph", "content": [{"nodeType": "text", "value": "j"}]}]"#
    let written = try MultiLineText(json: JSONValue(parsing: json)).nodes
    #expect(
      try nodes(#"{"json": \#(json), "html": "<p>h</p>", "markdown": "m", "plaintext": "p"}"#)
        == written)
    #expect(
      try nodes(#"{"json": null, "html": "<p>h</p>", "markdown": "m", "plaintext": "p"}"#) == html)
    #expect(try nodes(#"{"json": 5, "html": "<p>h</p>", "markdown": "m"}"#) == html)
    #expect(try nodes(#"{"html": null, "markdown": "m\n", "plaintext": "p"}"#) == markdown)
    #expect(try nodes(#"{"html": 5, "plaintext": "p"}"#) == plain)
    #expect(try nodes(#""s""#) == other)
    #expect(try nodes("{}") == nil)
    #expect(try nodes("5") == nil)
  }
}
