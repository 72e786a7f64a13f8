import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `A plain text that is read` {
  private func lines(_ text: String, size: Int = 1_000, nodes: Int = 1_000) -> [String] {
    let limits = MultiLineTextLimits(size: size, nodes: nodes)
    return MultiLineText(plaintext: text, limits: limits).nodes.map { node in
      node.content.map { $0.kind == .lineBreak ? "|" : $0.value }.joined()
    }
  }

  @Test(arguments: [
    ("", []), ("\n \n\t\n", []), ("a", ["a"]), ("\n\na\n\n", ["a"]), ("a\nb", ["a|b"]), ("a\n\nb", ["a", "b"]),
    ("a\n \u{A0}\nb\nc\n", ["a", "b|c"]), ("  a ", ["  a "]), ("a\rb\r\nc\n\rd", ["a|b|c", "d"]), ("é\n日", ["é|日"]),
  ])
  func `has its paragraphs between blank lines`(text: String, paragraphs: [String]) {
    #expect(lines(text) == paragraphs)
  }

  @Test func `is cut off at its limits`() {
    #expect(lines("abc", size: 3) == ["abc"] && lines("abc", size: 2) == ["ab"] && lines("abc", size: 0).isEmpty)
    #expect(lines("aé", size: 3) == ["aé"] && lines("aé", size: 2) == ["a\u{FFFD}"])
    // A paragraph with its text are two nodes; each further line is no more than three.
    #expect(lines("a\nb", nodes: 5) == ["a|b"] && lines("a\nb", nodes: 4) == ["a"])
    #expect(lines("a\n\nb", nodes: 4) == ["a", "b"] && lines("a\n\nb", nodes: 3) == ["a"])
    #expect(lines("a\n\nb", nodes: 2) == ["a"] && lines("a", nodes: 1).isEmpty)
  }

  @Test(arguments: [
    ("a\tb\nc", "a\tb\nc"), ("a\rb", "a\nb"), ("a\r\nb", "a\nb"), ("a\n\rb", "a\n\nb"), ("\r\r\n", "\n\n"),
    ("\r\t\n", "\n\t\n"), ("\ra\n", "\na\n"), ("\r\n\n", "\n\n"), ("\u{1F}", "\u{FFFD}"),
    ("\u{0}é\u{7F}", "\u{FFFD}é\u{FFFD}"), ("\u{7F}", "\u{FFFD}"),
    (" ~\u{80}", " ~\u{80}"), ("\u{B}\u{C}", "\u{FFFD}\u{FFFD}"), ("e\u{301}\u{1}", "e\u{301}\u{FFFD}"),
  ])
  func `has no control characters but tabs and line feeds`(text: String, cleaned: String) {
    #expect(Array(text.cleaned.unicodeScalars) == Array(cleaned.unicodeScalars))
  }

  @Test func `has lines that are counted from one`() {
    let bytes = Array("a\n\nb".utf8)
    #expect([0, 1, 2, 3, 4].map { String.line(of: $0, in: bytes) } == [1, 1, 2, 3, 3])
  }

  @Test(
    arguments: [
      ("b", .bold), ("strong", .bold), ("i", .italic), ("em", .italic), ("cite", .italic), ("dfn", .italic),
      ("var", .italic), ("u", .underline), ("ins", .underline), ("s", .strikethrough), ("strike", .strikethrough),
      ("del", .strikethrough), ("sub", .subscripted), ("sup", .superscripted), ("code", .code), ("kbd", .code),
      ("samp", .code), ("tt", .code), ("span", nil), ("", nil),
    ] as [(String, MultiLineText.Variants?)])
  func `is set as elements say`(element: String, variants: MultiLineText.Variants?) throws {
    #expect(MultiLineText.Variants.ofElement(element) == variants)
    guard !element.isEmpty else { return }
    let expected = MultiLineText.Node(.text, value: "a", variants: variants ?? [])
    #expect(try MultiLineText(markdown: "<\(element)>a</\(element)>").nodes.first?.content == [expected])
  }

  @Test func `is set by as many marks as have begun`() {
    var counts = StyleCounts()
    counts.set(.bold, false)
    counts.set(.bold, true)
    counts.set(.bold, true)
    counts.set(.italic, true)
    #expect(counts.variants == [.bold, .italic])
    counts.set(.bold, false)
    #expect(counts.variants == [.bold, .italic])
    counts.set(.bold, false)
    #expect(counts.variants == .italic)
  }

  @Test(
    arguments: [
      ("p", .paragraph, nil), ("h1", .header, "h1"), ("h6", .header, "h6"), ("h7", nil, nil),
      ("ul", .unorderedList, nil),
      ("menu", .unorderedList, nil), ("dir", .unorderedList, nil), ("ol", .orderedList, nil), ("li", .listItem, nil),
      ("table", .table, nil), ("tbody", nil, nil), ("tr", .tableRow, nil), ("td", .tableData, nil),
      ("th", .tableData, "th"), ("blockquote", .blockQuote, nil), ("pre", .codeBlock, nil),
      ("listing", .codeBlock, nil), ("xmp", .codeBlock, nil), ("hr", .horizontalRule, nil), ("div", nil, nil),
    ] as [(String, MultiLineText.Kind?, String?)])
  func `has the blocks of elements`(element: String, kind: MultiLineText.Kind?, style: String?) {
    #expect(HTMLElements.block(element) == kind && HTMLElements.style(element) == style)
  }
}
