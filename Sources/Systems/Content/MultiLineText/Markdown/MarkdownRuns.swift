/// The pieces of a line as Markdown can hold them.
enum MarkdownRuns {
  typealias Node = MultiLineText.Node

  /// Spaces at the edges of bold and other text stand outside of it, and none at the edges of lines.
  static func of(_ pieces: [Node]) -> [Node] {
    var runs: [Node] = []
    for (index, node) in pieces.enumerated() {
      guard node.kind == .text, !node.variants.contains(.code) else {
        add(node, to: &runs)
        continue
      }
      let text = onOneLine(node.value)
      let before = index > 0 ? pieces[index - 1].variants : []
      let after = index + 1 < pieces.count ? pieces[index + 1].variants : []
      let isAtStart = runs.last.map { $0.kind == .lineBreak } ?? true
      let start = text.prefix { $0.isWhitespace }
      let end = start.count < text.count ? String(text.reversed().prefix { $0.isWhitespace }.reversed()) : ""
      if !start.isEmpty, !isAtStart || start != " " {
        add(Node(.text, value: String(start), variants: node.variants.intersection(before)), to: &runs)
      }
      let middle = text.dropFirst(start.count).dropLast(end.count)
      if !middle.isEmpty { add(Node(.text, value: String(middle), variants: node.variants), to: &runs) }
      if !end.isEmpty { add(Node(.text, value: end, variants: node.variants.intersection(after)), to: &runs) }
    }
    return trimmed(runs)
  }

  /// Returns a text with one space for each run of spaces and line ends.
  static func onOneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) || text.contains("  ") else { return text }
    var kept: [UInt8] = []
    for byte in text.utf8 {
      if byte > 0x20 { kept.append(byte) } else if kept.last != 0x20 { kept.append(0x20) }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The first character that is written for a piece, as far as it decides whether a mark before it is one.
  static func first(_ node: Node) -> Character? {
    switch node.kind {
    case .lineBreak: " "
    case .text: node.variants.contains(.code) ? "`" : node.value.first
    default: node.target?.path == nil ? "[" : "!"
    }
  }

  private static func add(_ node: Node, to runs: inout [Node]) {
    if node.kind == .text, let last = runs.last, last.kind == .text, last.variants == node.variants {
      runs[runs.count - 1].value += node.value
    } else {
      runs.append(node)
    }
  }

  private static func trimmed(_ runs: [Node]) -> [Node] {
    var runs = runs
    while let last = runs.last, last.kind == .lineBreak || (last.kind == .text && last.value == " ") {
      runs.removeLast()
    }
    if let start = runs.firstIndex(where: { $0.kind != .lineBreak }) { runs.removeFirst(start) }
    return runs
  }
}
