import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `The blocks that a tree is built of` {
  /// A block to begin, a text, or the end of as many blocks as were begun last.
  enum Step: Sendable, ExpressibleByStringLiteral {
    case open(MultiLineText.Kind), text(String), close
    init(stringLiteral text: String) { self = .text(text) }
  }

  private func html(_ steps: [Step]) throws -> String {
    var builder = TreeBuilder(limits: MultiLineTextLimits(), collapses: true)
    var marks: [Int] = []
    for step in steps {
      switch step {
      case .open(let kind): marks.append(try builder.open(kind))
      case .text(let text): try builder.text(text)
      case .close: try builder.close(marks.removeLast())
      }
    }
    return try MultiLineText(nodes: builder.finish()).html.filter { $0 != "\n" }
  }

  private static let cases: [([Step], String)] = [
    (["a", .open(.header), "b", .close, "c"], "<p>a</p><h1>b</h1><p>c</p>"),
    ([.open(.paragraph), "a", .open(.paragraph), "b"], "<p>a</p><p>b</p>"),
    (
      [.open(.blockQuote), "a", .open(.blockQuote), "b", .close, "c", .close, "d"],
      "<blockquote><p>a</p><blockquote><p>b</p></blockquote><p>c</p></blockquote><p>d</p>"
    ),
    // Items without a list, and lists without an item.
    ([.open(.listItem), "a", .close, .open(.listItem), "b", .close], "<ul><li>a</li><li>b</li></ul>"),
    ([.open(.listItem), "a", .close, .open(.paragraph), "b"], "<ul><li>a</li></ul><p>b</p>"),
    ([.open(.listItem), "a", .close, "b"], "<ul><li>a</li></ul><p>b</p>"),
    (
      [.open(.orderedList), "a", .open(.listItem), "b", .close, "c", .open(.paragraph), "d"],
      "<ol><li>a</li><li>b</li><li>c<p>d</p></li></ol>"
    ),
    (
      [.open(.orderedList), .open(.unorderedList), "a", .close, "b", .close, "c"],
      "<ol><li><ul><li>a</li></ul>b</li></ol><p>c</p>"
    ),
    ([.open(.unorderedList), .open(.listItem), "a", .open(.listItem), "b"], "<ul><li>a<ul><li>b</li></ul></li></ul>"),
    // Parts of tables without the others.
    (
      [.open(.tableData), "a", .close, .open(.tableData), "b", .close],
      "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"
    ),
    (
      [.open(.tableRow), .open(.tableData), "a", .close, .close, .open(.tableRow), .open(.tableData), "b"],
      "<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>"
    ),
    (
      [.open(.tableData), "a", .close, .open(.tableRow), .open(.tableData), "b"],
      "<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>"
    ),
    (
      [.open(.tableRow), .open(.tableData), "a", .close, .close, .open(.tableBody), .open(.tableData), "b"],
      "<table><tbody><tr><td>a</td></tr></tbody><tbody><tr><td>b</td></tr></tbody></table>"
    ),
    (
      [.open(.tableRow), .open(.tableData), "a", .close, "b"],
      "<table><tbody><tr><td>a</td></tr></tbody></table><p>b</p>"
    ),
    (
      [.open(.tableData), "a", .close, .open(.paragraph), "b"],
      "<table><tbody><tr><td>a</td></tr></tbody></table><p>b</p>"
    ),
    ([.open(.tableData), "a", .close, "b"], "<table><tbody><tr><td>a</td></tr></tbody></table><p>b</p>"),
    // The innermost table counts, which nobody began.
    (
      [.open(.table), .open(.tableData), .open(.blockQuote), .open(.tableData), "a", .close, "b"],
      "<table><tbody><tr><td><blockquote><table><tbody><tr><td>a</td></tr></tbody></table><p>b</p></blockquote></td></tr></tbody></table>"
    ),
    (
      [.open(.table), "a", .open(.tableData), "b", .close, "c"],
      "<table><tbody><tr><td>a</td><td>b</td><td>c</td></tr></tbody></table>"
    ),
    (
      [.open(.table), .open(.tableRow), "a", .open(.header), "b"],
      "<table><tbody><tr><td>a<h1>b</h1></td></tr></tbody></table>"
    ),
    (
      [.open(.table), "a", .open(.tableRow), "b", .close, .close, "c"],
      "<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table><p>c</p>"
    ),
    // A cell holds a table of its own.
    (
      [.open(.tableData), "a", .open(.tableRow), .open(.tableData), "b"],
      "<table><tbody><tr><td>a<table><tbody><tr><td>b</td></tr></tbody></table></td></tr></tbody></table>"
    ),
    (
      [.open(.listItem), "a", .open(.tableData), "b", .close, .close, .open(.listItem), "c"],
      "<ul><li>a<table><tbody><tr><td>b</td></tr></tbody></table></li><li>c</li></ul>"
    ),
    // What is empty is left out, but for items, cells and rules.
    ([.open(.paragraph), .open(.header), .open(.blockQuote), .open(.unorderedList)], ""),
    ([.open(.unorderedList), .open(.listItem), .close, .open(.listItem), "a"], "<ul><li></li><li>a</li></ul>"),
    (
      [.open(.tableData), .close, .open(.tableData), "a"], "<table><tbody><tr><td></td><td>a</td></tr></tbody></table>"
    ),
    (["a", .open(.horizontalRule), .close, "b"], "<p>a</p><hr><p>b</p>"),
    ([.open(.codeBlock), "a", .open(.listItem), "b"], "<pre><code>a</code></pre><ul><li>b</li></ul>"),
    (
      [.open(.listItem), .open(.codeBlock), "a", .open(.paragraph), "b"],
      "<ul><li><pre><code>a</code></pre><p>b</p></li></ul>"
    ),
  ]

  @Test(arguments: cases.indices) func `get what they need around them`(index: Int) throws {
    let (steps, expected) = Self.cases[index]
    #expect(try html(steps) == expected)
  }

  @Test func `end with the block that they are in, and the text itself never`() throws {
    var builder = TreeBuilder(limits: MultiLineTextLimits(), collapses: true)
    let quote = try builder.open(.blockQuote)
    _ = try builder.open(.listItem)
    try builder.text("a")
    try builder.close(quote)
    #expect(builder.frames.count == 1)
    try builder.close(0)
    #expect(builder.frames.count == 1)
    try builder.text("b")
    #expect(
      try MultiLineText(nodes: builder.finish()).html.filter { $0 != "\n" }
        == "<blockquote><ul><li>a</li></ul></blockquote><p>b</p>")
  }

  @Test func `hold runs of pieces and other blocks by turns`() {
    typealias Node = MultiLineText.Node
    let (a, b, p) = (Node(.text, value: "a"), Node(.lineBreak), Node(.paragraph))
    #expect(
      Node(.listItem, content: [p, a, b, p, p, a]).parts == [
        .block(p), .line([a, b]), .block(p), .block(p), .line([a]),
      ])
    #expect(Node(.listItem).parts.isEmpty)
    #expect(Node(.listItem, content: [a]).parts == [.line([a])])
  }

  @Test(arguments: [("h1", 1), ("h6", 6), ("h7", 1), ("h0", 1), ("", 1), ("hé", 1)])
  func `have a level from 1 to 6`(style: String, level: Int) {
    #expect(MultiLineText.Node(.header, style: style).level == level)
    #expect(MultiLineText.Node(.header).level == 1)
  }
}
