import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `A line of Markdown` {
  typealias Node = MultiLineText.Node

  private static func text(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.text, value: value, variants: variants)
  }

  private static func link(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.link, value: value, variants: variants, target: .init(href: "/x"))
  }

  private static func picture(_ alternative: String?) -> Node {
    Node(.reference, target: .init(path: "/p.png", alternative: alternative))
  }

  private static let breaking = Node(.lineBreak)
  private static let both: MultiLineText.Variants = [.bold, .italic]

  private static let lines: [([Node], String)] = [
    ([text("a", .bold)], "**a**"), ([text("a", .italic)], "_a_"), ([text("a", .strikethrough)], "~~a~~"),
    ([text("a", .underline)], "<u>a</u>"), ([text("a", .subscripted)], "<sub>a</sub>"),
    ([text("a", .superscripted)], "<sup>a</sup>"), ([text("a", .code)], "`a`"),
    // A mark is one between a letter and what is none.
    ([text("x"), text("a", .bold), text("y")], "x<b>a</b>y"),
    ([text("x "), text("a", .bold), text(" y")], "x **a** y"),
    ([text("x "), text("a", .bold), text("y")], "x <b>a</b>y"),
    ([text("x"), text("a", .bold), text(" y")], "x<b>a</b> y"),
    ([text("("), text("a", .bold), text(")")], "(**a**)"), ([text("("), text("1", .italic), text(")")], "(_1_)"),
    ([text("("), text("(a)", .bold), text(")")], "(<b>(a)</b>)"), ([text("(a)", .bold)], "**(a)**"),
    ([text("a", .bold), link("b")], "**a**[b](/x)"), ([text("a", .bold), text("b", .code)], "**a**`b`"),
    ([text("a", .bold), picture("b")], "**a**![b](/p.png)"), ([link("a"), text("b", .bold)], "[a](/x)**b**"),
    ([text("a", .bold), breaking, text("b", .italic)], "**a**\\\n_b_"),
    // The variant that goes further stands outside.
    ([text("a", both)], "**_a_**"), ([text("a ", .italic), text("b", both)], "_a **b**_"),
    ([text("a", both), text(" b", .italic)], "_**a** b_"), ([text("a", both), text(" b", .bold)], "**_a_ b**"),
    ([text("a", .italic), text("b", both)], "_a<b>b</b>_"), ([text("a", [.bold, .code])], "**`a`**"),
    ([text("a", [.underline, .superscripted])], "<u><sup>a</sup></u>"), ([link("a", .bold)], "**[a](/x)**"),
    // Spaces stand outside of what is set.
    ([text("a ", .bold), text("b")], "**a** b"), ([text("a"), text(" b", .bold)], "a **b**"),
    ([text("a ", .bold), text("b", .bold)], "**a b**"), ([text("a ", .bold), text(" b", .italic)], "**a**  _b_"),
    ([text(" a")], "a"), ([text(" "), text("a")], "a"), ([text("a ", .bold)], "**a**"),
    ([text("a"), breaking, text(" b")], "a\\\nb"),
    ([breaking, text("a"), breaking, breaking], "a"), ([text("a"), breaking, breaking, text("b")], "a\\\n\\\nb"),
    ([text("a\n  b\tc")], "a b c"), ([text(" ")], ""), ([], ""),
    // Code with what would end it is set by tags.
    ([text("a`b", .code)], "<code>a\\`b</code>"), ([text("a|b", .code)], "<code>a\\|b</code>"),
    ([text(" a", .code)], "<code> a</code>"), ([text("a ", .code)], "<code>a </code>"),
    ([text("a\n*b", .code)], "`a *b`"),
    ([text("a "), text("b", .code), text(" c")], "a `b` c"),
    // Links and pictures.
    ([link("# a")], "[# a](/x)"), ([link("a]")], "[a\\]](/x)"), ([link("")], "[](/x)"), ([picture(nil)], "![](/p.png)"),
    ([picture("a*b")], "![a\\*b](/p.png)"), ([Node(.reference, value: "a*b")], "a\\*b"),
    ([Node(.reference, value: "a", target: .init(href: "/content/dam/a", type: "fragment"))], "[a](/content/dam/a)"),
    ([text("!"), link("a")], "\\![a](/x)"), ([text("# a"), breaking, text("# b")], "\\# a\\\n\\# b"),
    ([text("a", .underline), text("# b")], "<u>a</u># b"), ([text("1."), text("2", .bold)], "1\\.**2**"),
  ]

  @Test(arguments: lines.indices) func `is written as it reads`(index: Int) {
    let (pieces, line) = Self.lines[index]
    #expect(MarkdownLine.text(of: pieces, isOneLine: false) == line)
    #expect(MarkdownWriter.text(of: [Node(.paragraph, content: pieces)]) == (line.isEmpty ? "" : line + "\n"))
  }

  @Test func `of a title or a cell has no line break but a tag`() {
    let pieces = [Self.text("a"), Self.breaking, Self.text("# b "), Self.text("c#", .code)]
    #expect(MarkdownLine.text(of: pieces, isOneLine: true) == "a<br>\\# b `c#`")
    #expect(MarkdownLine.text(of: [Self.link("a #")], isOneLine: true) == "[a \\#](/x)")
    #expect(MarkdownLine.text(of: [Self.text("a|#", .code)], isOneLine: true) == "<code>a\\|\\#</code>")
  }
}
