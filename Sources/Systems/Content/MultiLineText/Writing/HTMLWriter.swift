/// Writes a tree as HTML.
struct HTMLWriter {
  typealias Node = MultiLineText.Node

  private var text = ""

  static func text(of nodes: [Node]) -> String {
    var writer = HTMLWriter()
    for node in nodes { writer.block(node) }
    return writer.text
  }

  private mutating func block(_ node: Node) {
    switch node.kind {
    case .paragraph: element("p", node)
    case .header: element("h\(node.level)", node)
    case .unorderedList: element("ul", node)
    case .orderedList: element("ol", node)
    case .listItem: element("li", node)
    case .table: element("table", node)
    case .tableBody: element("tbody", node)
    case .tableRow: element("tr", node)
    case .tableData: element(node.style == "th" ? "th" : "td", node)
    case .blockQuote: element("blockquote", node)
    case .codeBlock: text += "<pre><code>\(Self.escaped(node.value))</code></pre>\n"
    case .horizontalRule: text += "<hr>\n"
    case .text, .link, .reference, .lineBreak: piece(node)
    }
  }

  private mutating func element(_ name: String, _ node: Node) {
    text += "<\(name)>"
    if let first = node.content.first, !first.kind.isInline { text += "\n" }
    for child in node.content { block(child) }
    text += "</\(name)>\n"
  }

  private mutating func piece(_ node: Node) {
    let tags = MultiLineText.Variants.named.filter { node.variants.contains($0.variant) }.map(\.tag)
    text += tags.reversed().map { "<\($0)>" }.joined()
    let value = Self.escaped(node.value)
    if node.kind == .lineBreak {
      text += "<br>\n"
    } else if let href = node.target?.href {
      text += "<a href=\"\(Self.escaped(SafeAddress.link(href) ?? ""))\">\(value)</a>"
    } else if let path = node.target?.path {
      let alternative = Self.escaped(node.target?.alternative ?? "")
      text += "<img src=\"\(Self.escaped(SafeAddress.picture(path) ?? ""))\" alt=\"\(alternative)\">"
    } else {
      text += value
    }
    text += tags.map { "</\($0)>" }.joined()
  }

  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { "&<>\"".utf8.contains($0) }) else { return text }
    var kept: [UInt8] = []
    kept.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): kept += "&amp;".utf8
      case UInt8(ascii: "<"): kept += "&lt;".utf8
      case UInt8(ascii: ">"): kept += "&gt;".utf8
      case UInt8(ascii: "\""): kept += "&quot;".utf8
      default: kept.append(byte)
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
