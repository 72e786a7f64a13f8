import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The blocks of a text that is written` {
  typealias Node = MultiLineText.Node

  private static func text(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.text, value: value, variants: variants)
  }

  private static func block(_ kind: MultiLineText.Kind, _ texts: String...) -> Node {
    Node(kind, content: texts.map { text($0) })
  }

  /// A list of items with these nodes.
  private static func list(_ kind: MultiLineText.Kind = .unorderedList, _ items: [Node]...) -> Node {
    Node(kind, content: items.map { Node(.listItem, content: $0) })
  }

  private static func table(head: Bool = false, _ rows: [Node]...) -> Node {
    let rows = rows.enumerated().map { index, cells in
      Node(
        .tableRow,
        content: cells.map { Node(.tableData, style: head && index == 0 ? "th" : nil, content: $0.content) })
    }
    return Node(.table, content: [Node(.tableBody, content: rows)])
  }

  private static func cell(_ text: String...) -> Node { Node(.tableData, content: text.map { Self.text($0) }) }

  private static let (a, b, c) = (text("a"), text("b"), text("c"))
  private static let (pa, pb) = (block(.paragraph, "a"), block(.paragraph, "b"))

  private static let blocks: [([Node], String)] = [
    ([Node(.header, style: "h3", content: [a])], "### a\n"), ([Node(.header, style: "h2")], "##\n"),
    ([block(.header, "a")], "# a\n"),
    ([pa, Node(.horizontalRule), pb], "a\n\n***\n\nb\n"), ([pa, Node(.paragraph), pb], "a\n\nb\n"), ([], ""),
    ([Node(.blockQuote, content: [pa, pb])], "> a\n>\n> b\n"), ([a], "a\n"),
    ([list(.unorderedList, [a], [b])], "- a\n- b\n"), ([list(.orderedList, [a], [b])], "1. a\n2. b\n"),
    // Lists in a row have other marks, by turns.
    ([list(.unorderedList, [a]), list(.unorderedList, [b]), list(.unorderedList, [c])], "- a\n\n+ b\n\n- c\n"),
    ([list(.orderedList, [a]), list(.orderedList, [b])], "1. a\n\n1) b\n"),
    ([list(.orderedList, [a]), list(.unorderedList, [b])], "1. a\n\n- b\n"),
    ([list(.unorderedList, [a]), pa, list(.unorderedList, [b])], "- a\n\na\n\n- b\n"),
    ([list(.unorderedList, [a]), Node(.paragraph), list(.unorderedList, [b])], "- a\n\n+ b\n"),
    (
      [list(.unorderedList, [a]), list(.unorderedList, [b]), Node(.paragraph), list(.unorderedList, [c])],
      "- a\n\n+ b\n\n- c\n"
    ),
    (
      [list(.unorderedList, [list(.unorderedList, [a]), Node(.table), list(.unorderedList, [b])])], "- - a\n  + b\n"
    ),
    (
      [list(.unorderedList, [list(.unorderedList, [a]), list(.unorderedList, [b]), list(.unorderedList, [c])])],
      "- - a\n  + b\n  - c\n"
    ),
    (
      [list(.unorderedList, [pa, list(.unorderedList, [a]), b, list(.unorderedList, [c])])],
      "- a\n\n  - a\n\n  b\n\n  - c\n"
    ),
    // One item with a paragraph has all of them apart.
    ([list(.unorderedList, [a, list(.orderedList, [b])], [c])], "- a\n  1. b\n- c\n"),
    ([list(.orderedList, [pa, pb], [c])], "1. a\n\n   b\n\n2. c\n"),
    ([list(.unorderedList, [], [a])], "- <!-- -->\n- a\n"), ([list(.unorderedList, [pa], [])], "- a\n\n- <!-- -->\n"),
    ([list(.unorderedList, [a, Node(.lineBreak), b])], "- a\\\n  b\n"),
    // A fence is longer than what begins a line of the code.
    ([Node(.codeBlock, value: "a")], "```\na\n```\n"), ([Node(.codeBlock, value: "")], "```\n\n```\n"),
    ([Node(.codeBlock, value: "``\na````")], "```\n``\na````\n```\n"),
    ([Node(.codeBlock, value: "a\n ```b\n")], "````\na\n ```b\n\n````\n"),
    ([Node(.codeBlock, value: "```\n`````\n````")], "``````\n```\n`````\n````\n``````\n"),
    ([list(.unorderedList, [Node(.codeBlock, value: "a\n\nb")])], "- ```\n  a\n\n  b\n  ```\n"),
    // Tables have a head, and as many cells in each row.
    ([table(head: true, [cell("a"), cell("b")], [cell("c")])], "| a | b |\n| --- | --- |\n| c |  |\n"),
    ([table([cell("a"), cell("b")])], "|  |  |\n| --- | --- |\n| a | b |\n"),
    ([table([cell("a")], [cell("b"), cell("c")])], "|  |  |\n| --- | --- |\n| a |  |\n| b | c |\n"),
    ([table([])], ""), ([Node(.table)], ""),
    (
      [table([Node(.tableData, content: [a, pb, Node(.codeBlock, value: "c")])])], "|  |\n| --- |\n| a<br>b<br>`c` |\n"
    ),
    (
      [table([Node(.tableData, content: [Node(.paragraph), pb, list(.unorderedList, [c], [])])])],
      "|  |\n| --- |\n| b<br>c |\n"
    ),
  ]

  @Test(arguments: blocks.indices) func `are Markdown`(index: Int) {
    let (nodes, markdown) = Self.blocks[index]
    #expect(MultiLineText(nodes: nodes).markdown == markdown)
  }

  @Test func `are numbered with as much space below as the number takes`() {
    let items = (1...10).map { _ in Node(.listItem, content: [Self.a, Node(.lineBreak), Self.b]) }
    let lines = MultiLineText(nodes: [Node(.orderedList, content: items)]).markdown.split(separator: "\n")
    #expect(lines.suffix(4) == ["9. a\\", "   b", "10. a\\", "    b"])
  }

  private static let forms: [([Node], html: String, plain: String)] = [
    ([Node(.header, style: "h6", content: [a])], "<h6>a</h6>\n", "a"),
    ([Node(.blockQuote, content: [pa, pb])], "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n", "a\n\nb"),
    ([list(.orderedList, [a, pb], [])], "<ol>\n<li>a<p>b</p>\n</li>\n<li></li>\n</ol>\n", "a\nb"),
    (
      [table(head: true, [cell("a"), cell(), cell("b", "c")], [cell("c")])],
      "<table>\n<tbody>\n<tr>\n<th>a</th>\n<th></th>\n<th>bc</th>\n</tr>\n<tr>\n<td>c</td>\n</tr>\n</tbody>\n</table>\n",
      "a\t\tbc\nc"
    ),
    (
      [table([Node(.tableData, content: [pa, pb])])],
      "<table>\n<tbody>\n<tr>\n<td>\n<p>a</p>\n<p>b</p>\n</td>\n</tr>\n</tbody>\n</table>\n", "a b"
    ),
    ([Node(.codeBlock, value: "a<b>\n c")], "<pre><code>a&lt;b&gt;\n c</code></pre>\n", "a<b>\n c"),
    ([pa, Node(.horizontalRule), pb], "<p>a</p>\n<hr>\n<p>b</p>\n", "a\n\nb"),
    (
      [
        Node(
          .paragraph, content: [text("a", [.bold, .code]), Node(.lineBreak), text("b", [.superscripted, .italic])])
      ],
      "<p><b><code>a</code></b><br>\n<sup><i>b</i></sup></p>\n", "a\nb"
    ),
    (
      [Node(.paragraph, content: [text("a", [.underline, .strikethrough]), text("b", .subscripted)])],
      "<p><s><u>a</u></s><sub>b</sub></p>\n", "ab"
    ),
    (
      [Node(.link, value: "a&b", variants: .bold, target: .init(href: "/x?a=1&b=\"2\""))],
      "<b><a href=\"/x?a=1&amp;b=&quot;2&quot;\">a&amp;b</a></b>", "a&b"
    ),
    // Nobody has checked the addresses of a tree.
    ([Node(.link, value: "a", target: .init(href: "javascript:b"))], "<a href=\"\">a</a>", "a"),
    (
      [Node(.reference, target: .init(path: "mailto:a@b.c", alternative: "\"<é>"))],
      "<img src=\"\" alt=\"&quot;&lt;é&gt;\">", ""
    ),
    ([Node(.reference, target: .init(path: "/a.png"))], "<img src=\"/a.png\" alt=\"\">", ""),
    ([Node(.reference, value: "a'b")], "a'b", "a'b"), ([], "", ""),
  ]

  @Test(arguments: forms.indices) func `are HTML and plain text`(index: Int) {
    let (nodes, html, plain) = Self.forms[index]
    let text = MultiLineText(nodes: nodes)
    #expect(text.html == html && text.plaintext == plain)
  }

  @Test func `refer to what lies below content, each once and in order`() {
    func link(_ href: String) -> Node { Node(.link, value: "a", target: .init(href: href)) }
    let text = MultiLineText(nodes: [
      Node(.paragraph, content: [link("/content/b?x=1"), link("https://a.example/content/a"), link("/content")]),
      Node(
        .blockQuote,
        content: [
          Node(.paragraph, content: [Node(.reference, target: .init(path: "/content/a.png")), link("/content/b#y")])
        ]), Node(.paragraph, content: [link("/content/"), link("content/c"), Self.a]),
    ])
    #expect(text.references == ["/content/b", "/content/a.png", "/content/"])
    #expect(MultiLineText(nodes: []).references.isEmpty)
  }
}
