import JSON

extension MultiLineText {
  /// A node of the tree: a block that contains nodes, or a piece of a line.
  ///
  /// Paragraphs, headers, items and cells contain pieces of lines. Paragraphs and headers contain no blocks.
  package struct Node: Sendable, Equatable {
    /// The kind of block or piece.
    package let kind: Kind
    /// `h1` to `h6` of a header; `th` of a cell of a table's head.
    package var style: String?
    /// The text of a piece, of a link or of code.
    package var value: String
    /// The variants of a piece, such as bold.
    package var variants: Variants
    /// The address of a link, or the object of a reference; nil for other nodes.
    package var target: Target?
    /// The child nodes.
    package var content: [Node]

    /// Creates a node from its kind and the properties that the kind uses.
    package init(
      _ kind: Kind, style: String? = nil, value: String = "", variants: Variants = [], target: Target? = nil,
      content: [Node] = []
    ) {
      self.kind = kind
      self.style = style
      self.value = value
      self.variants = variants
      self.target = target
      self.content = content
    }
  }

  /// The kinds of nodes, by their names in JSON.
  package enum Kind: String, Sendable, CaseIterable {
    case paragraph, header, table
    case unorderedList = "unordered-list"
    case orderedList = "ordered-list"
    case listItem = "list-item"
    case tableBody = "table-body"
    case tableRow = "table-row"
    case tableData = "table-data"
    /// Markdown has these three; AEM's own editor makes none.
    case blockQuote = "block-quote"
    case codeBlock = "code-block"
    case horizontalRule = "horizontal-rule"
    case text, link, reference
    case lineBreak = "line-break"

    /// Whether it is a piece of a line.
    package var isInline: Bool {
      switch self {
      case .text, .link, .reference, .lineBreak: true
      default: false
      }
    }
  }
}

extension MultiLineText.Node {
  /// The number after `h` of a header's style; 1 where there is none.
  package var level: Int { style.flatMap { $0.utf8.last }.map { Int($0) - 48 }.flatMap { 1...6 ~= $0 ? $0 : nil } ?? 1 }

  /// The content in order: runs of pieces of a line together, and blocks each by itself.
  package var parts: [Part] {
    var parts: [Part] = []
    var line: [MultiLineText.Node] = []
    for node in content {
      if node.kind.isInline {
        line.append(node)
        continue
      }
      if !line.isEmpty { parts.append(.line(line)) }
      line = []
      parts.append(.block(node))
    }
    if !line.isEmpty { parts.append(.line(line)) }
    return parts
  }

  /// A part of what holds lines and blocks: an item, a cell.
  package enum Part: Sendable, Equatable {
    case line([MultiLineText.Node])
    case block(MultiLineText.Node)
  }
}

extension MultiLineText.Node {
  /// The node as AEM gives it; renderers take a node with `content` for a block.
  var json: JSONValue {
    var object: JSONObject = ["nodeType": .string(kind.rawValue)]
    if let style { object["style"] = .string(style) }
    if let target { object["data"] = .object(target.json) }
    switch kind {
    case .text, .link, .codeBlock: object["value"] = .string(value)
    case .reference: object["value"] = value.isEmpty ? nil : .string(value)
    default: object["content"] = .array(content.map(\.json))
    }
    let names = MultiLineText.Variants.named.filter { variants.contains($0.variant) }.map { JSONValue.string($0.name) }
    if !names.isEmpty { object["format"] = ["variants": .array(names)] }
    return .object(object)
  }
}

extension MultiLineText.Target {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    for (name, value) in [
      ("href", href), ("type", type), ("path", path), ("mimetype", mimetype), ("alt", alternative),
    ] { object[name] = value.map { .string($0) } }
    return object
  }
}
