import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Markdown and HTML that are read` {
  typealias Node = MultiLineText.Node

  private static func text(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.text, value: value, variants: variants)
  }

  private static func picture(_ alternative: String) -> Node {
    Node(.reference, target: .init(path: "/p.png", mimetype: "image/png", alternative: alternative))
  }

  private static let breaking = Node(.lineBreak)

  private static let lines: [(String, [Node])] = [
    ("a\nb", [text("a b")]), ("a  \nb", [text("a"), breaking, text("b")]),
    ("a<br>b", [text("a"), breaking, text("b")]),
    ("**a** _b_ ~~c~~", [text("a", .bold), text(" "), text("b", .italic), text(" "), text("c", .strikethrough)]),
    ("**a\nb**", [text("a b", .bold)]), ("**`a`** b", [text("a", [.bold, .code]), text(" b")]),
    ("x <u>a <u>b</u> c</u> d</u>", [text("x "), text("a b c", .underline), text(" d")]),
    ("x <odd>a</odd>", [text("x a")]), ("![a *b* `c`\nd](/p.png) e", [picture("a b c d"), text(" e")]),
    ("![x ![y](/q.png) z](/p.png)", [picture("x y z")]), ("**![a](javascript:x)** b", [text("a", .bold), text(" b")]),
    ("![](javascript:x)a", [text("a")]),
  ]

  @Test(arguments: lines.indices) func `have the pieces of a line`(index: Int) throws {
    let (markdown, nodes) = Self.lines[index]
    #expect(try MultiLineText(markdown: markdown).nodes == [Node(.paragraph, content: nodes)])
  }

  @Test func `end with a block what was not ended in it`() throws {
    let paragraphs = [
      Node(.paragraph, content: [Self.text("a", .bold)]), Node(.paragraph, content: [Self.text("c")]),
    ]
    #expect(try MultiLineText(markdown: "<b>a\n\nc").nodes == paragraphs)
  }

  @Test func `have items with paragraphs where the list is loose`() throws {
    func list(_ kind: MultiLineText.Kind, _ items: [Node]...) -> [Node] {
      [Node(kind, content: items.map { Node(.listItem, content: $0) })]
    }
    let (a, b) = (Self.text("a"), Self.text("b"))
    #expect(try MultiLineText(markdown: "- a\n- b").nodes == list(.unorderedList, [a], [b]))
    #expect(
      try MultiLineText(markdown: "1. a\n\n2. b").nodes
        == list(.orderedList, [Node(.paragraph, content: [a])], [Node(.paragraph, content: [b])]))
    #expect(try MultiLineText(markdown: "> - a").nodes == [Node(.blockQuote, content: list(.unorderedList, [a]))])
  }

  @Test func `have code with the line ends in it, and titles in the first row alone`() throws {
    #expect(try MultiLineText(markdown: "```\na\n\n```").nodes == [Node(.codeBlock, value: "a\n")])
    #expect(try MultiLineText(markdown: "    a\n").nodes == [Node(.codeBlock, value: "a")])
    let table = try MultiLineText(markdown: "| a |\n|---|\n| b |\n| c |\n\n| d |\n|---|").nodes
    let rows = table.flatMap(\.content).flatMap(\.content)
    #expect(rows.map { $0.content.map(\.style) } == [["th"], [nil], [nil], ["th"]])
    #expect(try MultiLineText(markdown: "## a").nodes == [Node(.header, style: "h2", content: [Self.text("a")])])
  }

  @Test func `are as long and as deep as the limits`() throws {
    for size in [2, 3] {
      let limits = MultiLineTextLimits(size: size)
      #expect((try? MultiLineText(markdown: "aé", limits: limits))?.plaintext == (size == 3 ? "aé" : nil))
      #expect((try? MultiLineText(html: "aé", limits: limits))?.plaintext == (size == 3 ? "aé" : nil))
    }
    let limits = MultiLineTextLimits(depth: 2)
    #expect(try MultiLineText(markdown: "a\n\n> b", limits: limits).plaintext == "a\n\nb")
    let error = #expect(throws: MultiLineTextError.self) {
      try MultiLineText(markdown: "a\n\n> > b", limits: limits)
    }
    #expect(error?.message == "The text is nested more than 2 deep." && error?.line == 3)
  }

  @Test(arguments: [
    ("<p>a<script>b</script>c</p>", "<p>ac</p>\n"), ("<p><svg><b>a</b></svg>b</p>", "<p>b</p>\n"),
    ("<p><b>a</b>b</p>", "<p><b>a</b>b</p>\n"), ("<p><a>a</a></p>", "<p>a</p>\n"),
    ("<p><b><img src='' alt='a'></b></p>", "<p><b>a</b></p>\n"), ("<div>a</div><div>b</div>", "<p>a</p>\n<p>b</p>\n"),
    ("<p><a href='/x'>a</a>b</p>", "<p><a href=\"/x\">a</a>b</p>\n"),
  ])
  func `have what readers see`(html: String, written: String) throws {
    #expect(try MultiLineText(html: html).html == written)
  }
}
