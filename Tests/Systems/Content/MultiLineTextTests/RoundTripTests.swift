import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A text that is written and read again` {
  typealias Node = MultiLineText.Node

  /// Small numbers, the same in every run.
  private struct Numbers {
    var state: UInt64
    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }

  private static let words = [
    "one", "two!", "(three)", "*", "_", "a_b", "1.", "2)", "- x", "+ y", "# z", "===", "---", "> q", "`c`", "<b>",
    "&amp;",
    "&", "[l](m)", "![p](q)", "|", "\\", "~~~", "~", "é", "日本", "«g»", "a*b*c", "x\\", "!", ":-:", "€", "#", "$1",
    "***",
    "https", "end",
  ]
  private static let variants: [MultiLineText.Variants] = [
    [], [], [], .bold, .italic, .code, [.bold, .italic], .underline, .strikethrough, [.bold, .strikethrough],
    .superscripted, [.italic, .underline], [.bold, .code],
  ]

  private static func line(_ numbers: inout Numbers) -> [Node] {
    var pieces: [Node] = []
    for _ in 0...numbers.next(6) {
      let word = words[numbers.next(words.count)]
      let variants = variants[numbers.next(variants.count)]
      switch numbers.next(12) {
      case 0: pieces.append(Node(.link, value: word, variants: variants, target: .init(href: "/x?a=1&amp=(2)")))
      case 1: pieces.append(Node(.reference, target: .init(path: "/content/dam/a b.png", mimetype: "image/png")))
      case 2: pieces += [Node(.text, value: word), Node(.lineBreak), Node(.text, value: "next")]
      case 3: pieces.append(Node(.text, value: " \(word)", variants: variants))
      case 4: pieces.append(Node(.text, value: "\(word) ", variants: variants))
      default: pieces.append(Node(.text, value: word, variants: variants))
      }
    }
    return pieces + [Node(.text, value: "end")]
  }

  private static func block(_ numbers: inout Numbers, depth: Int = 0) -> Node {
    switch numbers.next(depth > 2 ? 3 : 8) {
    case 0, 1: return Node(.paragraph, content: line(&numbers))
    case 2: return Node(.header, style: "h\(numbers.next(6) + 1)", content: line(&numbers))
    case 3, 4:
      let isLoose = numbers.next(3) == 0
      let items = (0...numbers.next(3) + 1).map { _ in
        var content = isLoose ? [Node(.paragraph, content: line(&numbers))] : line(&numbers)
        if numbers.next(3) == 0 {
          content.append(Node(.orderedList, content: [Node(.listItem, content: line(&numbers))]))
        }
        return Node(.listItem, content: content)
      }
      return Node(numbers.next(2) == 0 ? .orderedList : .unorderedList, content: items)
    case 5: return Node(.blockQuote, content: [block(&numbers, depth: depth + 1), block(&numbers, depth: depth + 1)])
    case 6:
      let columns = numbers.next(3) + 1
      let rows = (0...numbers.next(3)).map { row in
        Node(
          .tableRow,
          content: (0..<columns).map { _ in
            Node(.tableData, style: row == 0 ? "th" : nil, content: line(&numbers))
          })
      }
      return Node(.table, content: [Node(.tableBody, content: rows)])
    default: return Node(.codeBlock, value: "let a = `1`\n```\n  **b**")
    }
  }

  private static func text(_ seed: Int) throws -> MultiLineText {
    var numbers = Numbers(state: UInt64(seed) &* 7_919 &+ 17)
    let nodes = (0...numbers.next(4)).map { _ in block(&numbers) }
    return try MultiLineText(html: MultiLineText(nodes: nodes).html)
  }

  @Test(arguments: 0..<20)
  func `is the same, by HTML and by JSON`(seed: Int) throws {
    for part in 0..<25 {
      let text = try Self.text(seed * 100 + part)
      #expect(try MultiLineText(html: text.html) == text, "\(text.html)")
      #expect(try MultiLineText(json: text.json) == text)
    }
  }

  /// Markdown moves the spaces at the edges of bold text; after that, nothing changes.
  @Test(arguments: 0..<20)
  func `is the same by Markdown, once it came from there`(seed: Int) throws {
    for part in 0..<25 {
      let text = try Self.text(seed * 100 + part)
      let first = try MultiLineText(markdown: text.markdown)
      #expect(first.plaintext == text.plaintext, "\(text.html)\n\(text.markdown)")
      #expect(try MultiLineText(markdown: first.markdown) == first, "\(text.markdown)\n\(first.markdown)")
    }
  }

  @Test(arguments: [
    "a**b**c", "**a *b* c**", "***a** b*", "**a**b", "a *b*c", "**a!**b", "~~**x** y~~ z", "- - a\n- b",
    "1. a\n\n   b\n2. c",
    "- a\n\n+ b", "a\\\nb", "`` a`b ``", "[a **b**](/x)", "[*a*](/x)", "![a*b](/x.png)", "| a |\n|---|\n| b\\|c |",
    "> - a\n>   > b", "# a #\n## b", "<u>a</u>**b**", "a<br>b", "<div>a</div>\n\nb", "<a@b.de>", "www.example.com x",
    "-\n- a", "\\- a", "1\\. a", "&copy; &amp;amp;", "~~~\n```\n~~~", "[a](</x y>)", "* a\n\n\n  b",
  ])
  func `of Markdown stays as it is`(markdown: String) throws {
    let text = try MultiLineText(markdown: markdown)
    #expect(!text.nodes.isEmpty)
    #expect(try MultiLineText(markdown: text.markdown) == text, "\(text.html) \(text.markdown)")
    #expect(try MultiLineText(html: text.html) == text, "\(text.html)")
  }

  @Test func `is plain in Markdown where it can be`() throws {
    let text = try MultiLineText(
      html: "<h2>A</h2><p>b <b>c <i>d</i></b> <s>e</s>, <u>f</u></p><ol><li>g<ul><li>h</li></ul></li><li>i</li></ol>")
    #expect(
      text.markdown == """
        ## A

        b **c _d_** ~~e~~, <u>f</u>

        1. g
           - h
        2. i

        """)
  }
}
