import JSON
import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A text of JSON nodes` {
  typealias Node = MultiLineText.Node

  private static func node(_ type: String, _ members: JSONObject = [:], _ content: [JSONValue]? = nil) -> JSONValue {
    var object = members
    object["nodeType"] = .string(type)
    if let content { object["content"] = .array(content) }
    return .object(object)
  }

  private static func text(_ value: String) -> JSONValue { node("text", ["value": .string(value)]) }

  private static func variants(_ names: [String]) -> JSONValue {
    node("text", ["value": "a", "format": ["variants": .array(names.map { .string($0) })]])
  }

  private static let (a, b) = (Node(.text, value: "a"), Node(.text, value: "b"))
  private static let odd = (1...19).map { "odd\($0)" }

  private static let pieces: [(JSONValue, [Node])] = [
    (variants(["bold", "code"]), [Node(.text, value: "a", variants: [.bold, .code])]),
    (
      variants(["italic", "underline", "strikethrough", "subscript", "superscript"]),
      [Node(.text, value: "a", variants: [.italic, .underline, .strikethrough, .subscripted, .superscripted])]
    ),
    // Of the names the first twenty are read.
    (variants(odd + ["bold"]), [Node(.text, value: "a", variants: .bold)]), (variants(odd + ["odd", "bold"]), [a]),
    (node("text", ["value": "a", "format": ["variants": "bold"]]), [a]),
    (node("link", ["value": "a", "data": ["href": " /x "]]), [Node(.link, value: "a", target: .init(href: "/x"))]),
    (node("text", ["value": "a", "data": ["href": "/x"]]), [Node(.link, value: "a", target: .init(href: "/x"))]),
    (
      node("link", ["value": "a", "data": ["href": "javascript:x"], "format": ["variants": ["bold"]]]),
      [Node(.text, value: "a", variants: .bold)]
    ),
    (node("link", ["data": ["href": "/x"]], [text("a")]), [a]),
    (node("link", ["value": "a"], [text("b")]), [Node(.text, value: "ab")]),
    (
      node("reference", ["value": "a", "data": ["href": "/content/dam/x", "type": "odd"]]),
      [Node(.reference, value: "a", target: .init(href: "/content/dam/x", type: "fragment"))]
    ),
    (
      node("reference", ["value": "a", "data": ["path": "/p.png"]]),
      [Node(.reference, target: .init(path: "/p.png", mimetype: "image/png", alternative: "a"))]
    ),
    (
      node("image", ["value": "a", "data": ["path": "/p.png", "alt": "b", "mimetype": "image/\u{1}"]]),
      [Node(.reference, target: .init(path: "/p.png", mimetype: "image/\u{FFFD}", alternative: "b"))]
    ),
    (node("reference", ["data": ["path": "/p"]]), [Node(.reference, target: .init(path: "/p"))]),
    (node("text", ["value": "a", "data": ["path": "/p.png"]]), [a]),
    (node("reference", ["value": "a", "data": ["path": "mailto:x", "alt": "b"]]), [a]),
    (
      node("reference", ["value": "a", "data": ["path": "mailto:x", "href": "/x"]]),
      [Node(.link, value: "a", target: .init(href: "/x"))]
    ),
    (node("line-break", ["value": "a"]), [Node(.lineBreak)]),
    (node("odd", ["value": "a"], [text("b")]), [Node(.text, value: "ab")]),
    (node("text", ["value": "a\r\n\u{0}\tb "]), [Node(.text, value: "a\n\u{FFFD}\tb ")]),
  ]

  @Test(arguments: pieces.indices) func `has the pieces of its lines`(index: Int) throws {
    let (json, nodes) = Self.pieces[index]
    #expect(try MultiLineText(json: [json]).nodes == [Node(.paragraph, content: nodes)])
  }

  private static let blocks: [(JSONValue, [Node])] = [
    (node("paragraph", ["style": "h1", "value": "a"]), [Node(.paragraph, content: [a])]),
    (node("paragraph", ["value": "a"], [text("b")]), [Node(.paragraph, content: [b])]),
    (node("header", ["style": "h6"], [text("a")]), [Node(.header, style: "h6", content: [a])]),
    (node("header", [:], [text("a")]), [Node(.header, style: "h1", content: [a])]),
    (node("header", ["style": "h7"], [text("a")]), [Node(.header, style: "h1", content: [a])]),
    (node("code-block", ["value": "a"], [text("\n b"), node("line-break")]), [Node(.codeBlock, value: "a\n b\n")]),
    (node("horizontal-rule", ["value": "a"], [text("b")]), [Node(.horizontalRule)]),
    (
      node("list", ["style": "ol"], [node("list-item", [:], [text("a")])]),
      [Node(.orderedList, content: [Node(.listItem, content: [a])])]
    ),
    (
      node("list", ["style": "ul"], [node("list-item", ["style": "th", "value": "a"])]),
      [Node(.unorderedList, content: [Node(.listItem, content: [a])])]
    ),
    (
      node("unordered-list", ["style": "ol"], [text("a")]),
      [Node(.unorderedList, content: [Node(.listItem, content: [a])])]
    ),
    (node("paragraph"), []), (node("block-quote", [:], [node("paragraph", [:], [])]), []),
  ]

  @Test(arguments: blocks.indices) func `has its blocks`(index: Int) throws {
    let (json, nodes) = Self.blocks[index]
    #expect(try MultiLineText(json: [json]).nodes == nodes)
  }

  @Test func `has titles in the cells that say so`() throws {
    let cells = ["th", "td", "TH"].map { Self.node("table-data", ["style": .string($0)], [Self.text("a")]) }
    let row = Self.node("table-row", ["style": "th"], cells + [Self.node("table-data")])
    let table = try MultiLineText(json: [Self.node("table", [:], [Self.node("table-body", [:], [row])])]).nodes
    let found = try #require(table.first?.content.first?.content.first)
    #expect(found.style == nil && found.content.map(\.style) == ["th", nil, nil, nil])
    #expect(found.content.last == Node(.tableData))
  }

  @Test func `is at most as deep as the limit, whatever its nodes are`() throws {
    let limits = MultiLineTextLimits(depth: 3)
    func nested(_ types: String...) -> JSONValue {
      types.reversed().reduce(Self.text("a")) { inner, type in Self.node(type, [:], [inner]) }
    }
    for types in [("block-quote", "paragraph"), ("odd", "odd")] {
      #expect(try MultiLineText(json: [nested(types.0, types.1)], limits: limits).plaintext == "a")
      let error = #expect(throws: MultiLineTextError.self) {
        try MultiLineText(json: [nested(types.0, types.0, types.1)], limits: limits)
      }
      #expect(error?.message == "The text is nested more than 3 deep.")
    }
  }

  @Test func `has at most as many bytes and nodes as the limits`() throws {
    let json: JSONValue = .array([Self.text("é"), Self.node("odd", ["value": "bc"])])
    #expect(try MultiLineText(json: json, limits: MultiLineTextLimits(size: 4)).plaintext == "ébc")
    let error = #expect(throws: MultiLineTextError.self) {
      try MultiLineText(json: json, limits: MultiLineTextLimits(size: 3))
    }
    #expect(error?.message == "The text is larger than 0 KiB." && error?.line == nil)
    #expect(try MultiLineText(json: json, limits: MultiLineTextLimits(nodes: 2)).plaintext == "ébc")
    #expect(throws: MultiLineTextError.self) { try MultiLineText(json: json, limits: MultiLineTextLimits(nodes: 1)) }
  }

  @Test(
    arguments: [
      ([[:]], "[0]: A node has no nodeType."), ([["nodeType": 1]], "[0]: A node has no nodeType."),
      ([["nodeType": "odd"], "a"], "[1]: A node is a string, not an object."),
      (
        [["nodeType": "odd", "content": [["nodeType": "b"], .null]]], "[0].content[1]: A node is null, not an object."
      ),
    ] as [(JSONValue, String)])
  func `says which of them is wrong`(json: JSONValue, message: String) {
    let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(json: json) }
    let recovery = "Write each node as an object with a nodeType, for example paragraph or text."
    #expect(error?.description == "\(message) \(recovery)")
  }

  @Test func `says where an error is, by its line before its key`() {
    #expect(MultiLineTextError("A.", recovery: "B.").description == "A. B.")
    #expect(MultiLineTextError("A.", recovery: "B.", line: 2).description == "line 2: A. B.")
    #expect(MultiLineTextError("A.", recovery: "B.", keyPath: "[0]").description == "[0]: A. B.")
    #expect(MultiLineTextError("A.", recovery: "B.", line: 2, keyPath: "[0]").description == "line 2: A. B.")
  }
}
