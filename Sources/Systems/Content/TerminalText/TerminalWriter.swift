package import CommandLineTool
package import MultiLineText

/// Writes a tree for a terminal.
struct TerminalWriter {
  typealias Node = MultiLineText.Node

  /// A text that is indented further than this has no width left.
  private static let narrowest = 10

  /// The columns of a line, if they are limited.
  let width: Int?
  let isStyled: Bool

  /// The lines of blocks, with a blank line between two.
  func lines(of nodes: [Node]) -> [ShownText] {
    joined(nodes.map(block), separator: [""])
  }

  private func joined(_ blocks: [[ShownText]], separator: [ShownText]) -> [ShownText] {
    Array(blocks.filter { !$0.isEmpty }.joined(separator: separator))
  }

  private func block(_ node: Node) -> [ShownText] {
    switch node.kind {
    case .paragraph: words(node.content)
    case .header: words(node.content, isBold: true)
    case .unorderedList, .orderedList: list(node)
    case .table: table(node)
    case .blockQuote: narrower(by: 2).lines(of: node.content).map { "\(Self.bar)\($0)" }
    case .codeBlock:
      node.value.split(separator: "\n", omittingEmptySubsequences: false).map { "    \(Self.shown($0))" }
    case .horizontalRule: [ShownText(verbatim: String(repeating: "─", count: min(width ?? 40, 40)))]
    case .listItem, .tableBody, .tableRow, .tableData: parts(node)
    case .text, .link, .reference, .lineBreak: words([node])
    }
  }

  private static let bar: ShownText = "│ "

  /// A line of code; tabs are wide.
  private static func shown(_ text: Substring) -> ShownText {
    ShownText(whole: text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    "))
  }

  private func narrower(by columns: Int) -> TerminalWriter {
    TerminalWriter(width: width.map { max(min(Self.narrowest, $0), $0 - columns) }, isStyled: isStyled)
  }

  private func words(_ pieces: [Node], isBold: Bool = false) -> [ShownText] {
    var wrap = WordLines(width: width, isStyled: isStyled)
    for piece in pieces { wrap.add(piece, isBold: isBold) }
    return wrap.finished()
  }

  // MARK: Lists

  private func list(_ node: Node) -> [ShownText] {
    let isLoose = node.content.contains { item in item.content.contains { $0.kind == .paragraph } }
    let digits = String(node.content.count).utf8.count
    let items = node.content.enumerated().map { index, item in
      let number = String(index + 1)
      let mark =
        node.kind == .orderedList
        ? String(repeating: " ", count: digits - number.utf8.count) + number + ". " : "• "
      let inner = narrower(by: mark.count).parts(item)
      let space = String(repeating: " ", count: mark.count)
      return inner.isEmpty
        ? [ShownText(verbatim: String(mark.dropLast()))]
        : inner.enumerated().map { place, line in
          line == "" ? line : ShownText(verbatim: place == 0 ? mark : space) + line
        }
    }
    return joined(items, separator: isLoose ? [""] : [])
  }

  private func parts(_ node: Node) -> [ShownText] {
    let isLoose = node.content.contains { $0.kind == .paragraph }
    let blocks = node.parts.map { part in
      switch part {
      case .line(let pieces): words(pieces)
      case .block(let node): block(node)
      }
    }
    return joined(blocks, separator: isLoose ? [""] : [])
  }

  // MARK: Tables

  /// The columns of a table that are shown.
  private static let columns = 32

  private func table(_ node: Node) -> [ShownText] {
    var rows = node.content.flatMap(\.content).map { row in
      row.content.prefix(Self.columns).map { cell in
        TerminalWriter(width: nil, isStyled: false).parts(cell).map(\.description).joined(separator: " ")
      }
    }
    let count = rows.map(\.count).max() ?? 0
    let isTitled = node.content.first?.content.first?.content.allSatisfy { $0.style == "th" } == true
    let titles = isTitled ? rows.removeFirst() : []
    var table = TextTable((0..<count).map { TextTable.Column($0 < titles.count ? titles[$0] : "") })
    // What is shown already is not cut and not escaped again.
    for row in rows { table.add(row.map { TextTable.Cell(shown: ShownText(verbatim: $0)) }) }
    let lines = table.lines(for: Terminal(width: width, showsStyles: isStyled))
    return lines.filter { $0 != "" }
  }
}

extension MultiLineText {
  /// The text as lines for a terminal. Nothing in it steers the terminal or reorders what is read.
  ///
  /// - Parameters:
  ///   - width: the columns that a line may have, where words allow it; `nil` where nothing is broken.
  ///   - styled: whether bold, italic and underlined text is shown so.
  package func terminal(width: Int?, styled: Bool) -> [ShownText] {
    TerminalWriter(width: width.map { max(1, $0) }, isStyled: styled).lines(of: nodes)
  }
}
