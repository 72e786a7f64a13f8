import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `The lines that a tree is built of` {
  typealias Node = MultiLineText.Node

  /// What a reader finds, one after the other.
  enum Step: Sendable {
    case text(String, MultiLineText.Variants = [])
    case lineBreak, picture, endLink, endLine
    case link(String)
    case open(MultiLineText.Kind)
  }

  private func built(_ steps: [Step], collapses: Bool = true) throws -> [Node] {
    var builder = TreeBuilder(limits: MultiLineTextLimits(), collapses: collapses)
    for step in steps {
      switch step {
      case .text(let text, let variants): try builder.text(text, variants)
      case .lineBreak: try builder.piece(Node(.lineBreak))
      case .picture: try builder.piece(Self.picture)
      case .link(let address): try builder.beginLink(address)
      case .endLink: try builder.endLink()
      case .endLine: try builder.endLine()
      case .open(let kind): _ = try builder.open(kind)
      }
    }
    return try builder.finish()
  }

  private static let picture = Node(.reference, target: .init(path: "/p.png"))
  private static let breaking = Node(.lineBreak)

  private static func text(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.text, value: value, variants: variants)
  }

  private static func link(_ value: String, _ variants: MultiLineText.Variants = []) -> Node {
    Node(.link, value: value, variants: variants, target: .init(href: "/x"))
  }

  private static let lines: [([Step], [Node])] = [
    ([.text(" a \n\t b\u{C}\rc ")], [text("a b c")]), ([.text("a\u{A0} b")], [text("a\u{A0} b")]),
    ([.text("é"), .text("ü")], [text("éü")]),
    ([.text("a "), .text(" b", .bold)], [text("a "), text("b", .bold)]),
    ([.text("a", .bold), .text(" "), .text(" b", .bold)], [text("a", .bold), text(" "), text("b", .bold)]),
    ([.text("a"), .text(""), .text("b", .italic), .text(" ")], [text("a"), text("b", .italic)]),
    // A break takes the space before it away, and the one after it.
    ([.text("a "), .lineBreak, .text(" b")], [text("a"), breaking, text("b")]),
    ([.text("a", .bold), .text(" "), .lineBreak, .text("b")], [text("a", .bold), breaking, text("b")]),
    ([.text("a"), .lineBreak, .lineBreak, .text("b")], [text("a"), breaking, breaking, text("b")]),
    ([.lineBreak, .text("a"), .lineBreak, .text(" "), .lineBreak], [text("a")]),
    ([.picture, .text(" a"), .picture], [picture, text(" a"), picture]),
    ([.picture, .lineBreak, .picture], [picture, breaking, picture]),
    ([.link("/x"), .text("a"), .text(" b "), .endLink, .text(" c")], [link("a b"), text(" c")]),
    ([.text("a "), .link("/x"), .text(" b"), .endLink, .text("c")], [text("a "), link("b"), text("c")]),
    ([.link("/x"), .text(" a"), .endLink, .text("b")], [link("a"), text("b")]),
    ([.link("/x"), .text("a", .bold), .text("b", [.bold, .italic]), .endLink], [link("ab", .bold)]),
    ([.link("/x"), .text("a", .bold), .text(" "), .text("b", .bold), .endLink], [link("a b", .bold)]),
    ([.link("/x"), .text("a"), .text("b", .bold), .endLink], [link("ab")]),
    ([.link("/x"), .text("a"), .picture, .text("b"), .endLink], [link("a"), picture, link("b")]),
    (
      [.link("/x"), .text("a"), .link("/content/dam/y"), .text("b"), .endLink, .text("c")],
      [
        link("a"), Node(.reference, value: "b", target: .init(href: "/content/dam/y", type: "fragment")), text("c"),
      ]
    ),
    ([.link("javascript:x"), .text("a", .bold), .endLink, .text("b")], [text("a", .bold), text("b")]),
    ([.link("/x"), .endLink, .text("a")], [text("a")]),
    // A sign that makes one character with the space behind it.
    ([.text("a\u{D4E} ")], [text("a\u{D4E}")]),
    ([.text("a\u{D4E} "), .lineBreak, .text("b")], [text("a\u{D4E}"), breaking, text("b")]),
    ([.link("/x"), .text("a\u{D4E} "), .endLink, .text("b")], [link("a\u{D4E}"), text(" b")]),
  ]

  @Test(arguments: lines.indices) func `have their spaces, breaks and links where they are seen`(index: Int) throws {
    let (steps, pieces) = Self.lines[index]
    #expect(try built(steps) == [Node(.paragraph, content: pieces)])
  }

  @Test func `go on with a link in the next block`() throws {
    #expect(
      try built([.open(.paragraph), .link("/x"), .text("a "), .open(.header), .text("b"), .endLink, .text(" c")]) == [
        Node(.paragraph, content: [Self.link("a")]),
        Node(.header, content: [Self.link("b"), Self.text(" c")]),
      ])
  }

  @Test func `end inside of an item with a break, as soon as more follows`() throws {
    func item(_ steps: [Step]) throws -> [Node]? { try built([.open(.listItem)] + steps).first?.content.first?.content }
    let (a, b) = (Self.text("a"), Self.text("b"))
    #expect(try item([.text("a "), .endLine, .endLine, .text(" "), .text("b")]) == [a, Self.breaking, b])
    #expect(try item([.endLine, .text("a"), .endLine]) == [a])
    #expect(try item([.text("a"), .endLine, .picture]) == [a, Self.breaking, Self.picture])
    #expect(try item([.text("a"), .endLine, .open(.paragraph), .text("b")]) == [a, Node(.paragraph, content: [b])])
    #expect(
      try item([.link("/x"), .text("a"), .endLine, .text("b"), .endLink])
        == [Self.link("a"), Self.breaking, Self.link("b")])
  }

  @Test func `end outside of one with their paragraph`() throws {
    #expect(
      try built([.text("a"), .endLine, .endLine, .text("b"), .open(.header), .text("c"), .endLine, .text("d")]) == [
        Node(.paragraph, content: [Self.text("a")]), Node(.paragraph, content: [Self.text("b")]),
        Node(.header, content: [Self.text("c")]), Node(.paragraph, content: [Self.text("d")]),
      ])
  }

  @Test func `stay as they are where nothing is collapsed`() throws {
    #expect(
      try built(
        [.lineBreak, .text(" a  \n"), .lineBreak, .text(" "), .lineBreak, .link("/x"), .text("b "), .endLink],
        collapses: false) == [
          Node(
            .paragraph,
            content: [
              Self.breaking, Self.text(" a  \n"), Self.breaking, Self.text(" "), Self.breaking, Self.link("b "),
            ])
        ])
    // Space is a paragraph of its own, but no item.
    #expect(try built([.text(" ")], collapses: false) == [Node(.paragraph, content: [Self.text(" ")])])
    #expect(try built([.open(.unorderedList), .text(" ")], collapses: false).isEmpty)
    #expect(try built([.text(" \n")]).isEmpty && built([.text(""), .open(.paragraph), .text("")]).isEmpty)
  }

  @Test func `of code are kept as they are`() throws {
    #expect(
      try built([.open(.codeBlock), .text("  a\n"), .lineBreak, .text("\tb ", .bold), .picture, .open(.paragraph)])
        == [Node(.codeBlock, value: "  a\n\n\tb ")])
    #expect(try built([.open(.codeBlock)]).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The limits of a tree` {
  private func builder(depth: Int = 50, nodes: Int = 50_000) -> TreeBuilder {
    TreeBuilder(limits: MultiLineTextLimits(depth: depth, nodes: nodes), collapses: true)
  }

  @Test func `hold for the depth itself`() throws {
    var builder = builder(depth: 3)
    builder.line = 7
    for _ in 0..<3 { _ = try builder.open(.blockQuote) }
    let error = #expect(throws: MultiLineTextError.self) { try builder.text("a") }
    #expect(error == .tooDeep(3, line: 7) && error?.description.hasPrefix("line 7: ") == true)
    try builder.close(3)
    try builder.text("a")
    #expect(
      try MultiLineText(nodes: builder.finish()).html
        == "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>\n")
  }

  @Test(arguments: [("text", 2), ("merged", 2), ("styled", 3), ("break", 4), ("lines", 5), ("link", 3)])
  func `hold for the number of its nodes`(form: String, count: Int) throws {
    func build(_ builder: inout TreeBuilder) throws {
      _ = try builder.open(form == "lines" ? .listItem : .paragraph)
      try builder.text("a")
      switch form {
      case "merged": try builder.text("b")
      case "styled": try builder.text("b", .bold)
      case "break":
        try builder.piece(MultiLineText.Node(.lineBreak))
        try builder.text("b")
      case "lines":
        try builder.endLine()
        try builder.text("b")
      case "link":
        try builder.beginLink("/x")
        try builder.text("b")
        try builder.endLink()
      default: break
      }
    }
    var enough = builder(nodes: count)
    try build(&enough)
    var less = builder(nodes: count - 1)
    let error = #expect(throws: MultiLineTextError.self) { try build(&less) }
    #expect(error == .tooMany(count - 1))
  }

  @Test func `are told with the line that was reached, also at a break, which has none of its own`() {
    let error = #expect(throws: MultiLineTextError.self) {
      try MarkdownReader.nodes(of: "a\n\nb\\\nc", limits: MultiLineTextLimits(nodes: 4))
    }
    #expect(error == .tooMany(4, line: 3))
  }

  @Test func `have a most of their own`() {
    #expect(MultiLineTextLimits().size == 262_144 && MultiLineTextLimits().depth == 50)
    #expect(MultiLineTextLimits(size: 16 << 20).size == 16 << 20)
    #expect(MultiLineTextLimits(size: (16 << 20) + 1).size == 16 << 20)
    var limits = MultiLineTextLimits(depth: 101)
    #expect(limits.depth == 100)
    limits.depth = 99
    #expect(limits.depth == 99)
    limits.depth = 200
    #expect(limits.depth == 100)
  }
}
