/// Writes a tree as Markdown.
enum MarkdownWriter {
  typealias Node = MultiLineText.Node

  static func text(of nodes: [Node]) -> String {
    let lines = blocks(nodes)
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The lines of blocks, with a blank line between two.
  private static func blocks(_ nodes: [Node]) -> [String] {
    var all: [String] = []
    var previous: MultiLineText.Kind?
    var isOther = false
    for node in nodes {
      // Two lists in a row would be one, if their marks were the same.
      let isNext = node.kind == previous && !isOther
      let lines = block(node, isOther: isNext)
      if lines.isEmpty { continue }
      isOther = isNext
      if !all.isEmpty { all.append("") }
      all += lines
      previous = node.kind
    }
    return all
  }

  private static func block(_ node: Node, isOther: Bool = false) -> [String] {
    switch node.kind {
    case .header:
      let line = MarkdownLine.text(of: node.content, isOneLine: true)
      return [String(repeating: "#", count: node.level) + (line.isEmpty ? "" : " \(line)")]
    case .unorderedList: return list(node) { _ in isOther ? "+ " : "- " }
    case .orderedList: return list(node) { "\($0 + 1)\(isOther ? ")" : ".") " }
    case .table: return table(node)
    case .blockQuote: return blocks(node.content).map { $0.isEmpty ? ">" : "> \($0)" }
    case .codeBlock: return code(node.value)
    case .horizontalRule: return ["***"]
    case .paragraph: return line(node.content)
    case .listItem, .tableBody, .tableRow, .tableData: return parts(node, isTight: false)
    case .text, .link, .reference, .lineBreak: return line([node])
    }
  }

  private static func line(_ pieces: [Node]) -> [String] {
    let text = MarkdownLine.text(of: pieces, isOneLine: false)
    return text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  // MARK: Lists

  private static func list(_ node: Node, _ mark: (Int) -> String) -> [String] {
    let isTight = node.content.allSatisfy { item in !item.content.contains { $0.kind == .paragraph } }
    var all: [String] = []
    for (index, item) in node.content.enumerated() {
      let mark = mark(index)
      var lines = parts(item, isTight: isTight)
      // An empty item next to text would be read as something else.
      if lines.isEmpty { lines = ["<!-- -->"] }
      if !isTight, index > 0 { all.append("") }
      let space = String(repeating: " ", count: mark.utf8.count)
      all.append(mark + lines[0])
      all += lines.dropFirst().map { $0.isEmpty ? "" : space + $0 }
    }
    return all
  }

  private static func parts(_ node: Node, isTight: Bool) -> [String] {
    var all: [String] = []
    var previous: MultiLineText.Kind?
    var isOther = false
    for part in node.parts {
      let lines: [String]
      switch part {
      case .line(let pieces):
        lines = line(pieces)
        if lines.isEmpty { continue }
        (previous, isOther) = (nil, false)
      case .block(let block):
        let isNext = block.kind == previous && !isOther
        lines = Self.block(block, isOther: isNext)
        if lines.isEmpty { continue }
        (previous, isOther) = (block.kind, isNext)
      }
      if !all.isEmpty, !isTight { all.append("") }
      all += lines
    }
    return all
  }

  // MARK: Code and tables

  private static func code(_ value: String) -> [String] {
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    var longest = 2
    for line in lines { longest = max(longest, line.prefix { $0 == " " || $0 == "`" }.count { $0 == "`" }) }
    let fence = String(repeating: "`", count: longest + 1)
    return [fence] + lines + [fence]
  }

  /// GitHub's tables have a head always: one without titles stands for none.
  private static func table(_ node: Node) -> [String] {
    let rows = node.content.flatMap(\.content)
    let columns = rows.map(\.content.count).max() ?? 0
    guard columns > 0 else { return [] }
    let hasHead = rows.first?.content.allSatisfy { $0.style == "th" } == true
    var lines = rows.map { row in
      let cells = (0..<columns).map { $0 < row.content.count ? cell(row.content[$0]) : "" }
      return "| \(cells.joined(separator: " | ")) |"
    }
    if !hasHead { lines.insert("|" + String(repeating: "  |", count: columns), at: 0) }
    lines.insert("|" + String(repeating: " --- |", count: columns), at: 1)
    return lines
  }

  private static func cell(_ node: Node) -> String {
    MarkdownLine.text(of: pieces(of: node), isOneLine: true)
  }

  /// A cell's pieces with a line break where a block begins; a cell of Markdown holds no blocks.
  private static func pieces(of node: Node) -> [Node] {
    if node.kind == .codeBlock { return [Node(.text, value: node.value, variants: .code)] }
    var all: [Node] = []
    for part in node.parts {
      let more: [Node]
      switch part {
      case .line(let pieces): more = pieces
      case .block(let block): more = pieces(of: block)
      }
      if !all.isEmpty, !more.isEmpty { all.append(Node(.lineBreak)) }
      all += more
    }
    return all
  }
}
