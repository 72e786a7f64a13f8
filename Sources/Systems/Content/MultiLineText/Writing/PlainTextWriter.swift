/// Writes the text of a tree alone.
enum PlainTextWriter {
  typealias Node = MultiLineText.Node

  static func text(of nodes: [Node]) -> String {
    nodes.map(block).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func block(_ node: Node) -> String {
    switch node.kind {
    case .paragraph, .header: line(node.content)
    case .blockQuote: text(of: node.content)
    case .unorderedList, .orderedList, .table, .tableBody:
      node.content.map(block).filter { !$0.isEmpty }.joined(separator: "\n")
    case .listItem: mixed(node, separator: "\n")
    case .tableRow: node.content.map { mixed($0, separator: " ") }.joined(separator: "\t")
    case .tableData: mixed(node, separator: " ")
    case .codeBlock: node.value
    case .horizontalRule: ""
    case .text, .link, .reference, .lineBreak: line([node])
    }
  }

  private static func mixed(_ node: Node, separator: String) -> String {
    let texts = node.parts.map { part in
      switch part {
      case .line(let pieces): line(pieces)
      case .block(let node): block(node)
      }
    }
    return texts.filter { !$0.isEmpty }.joined(separator: separator)
  }

  private static func line(_ pieces: [Node]) -> String {
    pieces.map { $0.kind == .lineBreak ? "\n" : $0.value }.joined()
  }
}
