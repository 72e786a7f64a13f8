/// Rows of text in aligned columns.
///
/// Every cell is escaped for terminals, no line ends in spaces, and lines are cut to the width of a terminal; into a
/// file or pipe everything is written in full.
package struct TextTable: Sendable {
  /// The side of a column that its cells are aligned to.
  package enum Alignment: Sendable { case left, right }

  /// A column: its title and its alignment.
  package struct Column: Sendable {
    let title: String
    let alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// A cell: its text, escaped for terminals, and its style.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: String
    let style: TextStyle?

    package init(_ text: String, _ style: TextStyle? = nil) {
      self.text = text.escapedForTerminal
      self.style = style
    }

    package init(stringLiteral text: String) { self.init(text) }
  }

  /// No column is made wider than this for one cell: its text goes on, and the others are not filled up with spaces.
  static let widest = 200

  private let columns: [Column]
  private var rows: [[Cell]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row. Missing cells are empty; cells past the last column are dropped.
  package mutating func add(_ cells: [Cell]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : "" })
  }

  /// Whether there are no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// The lines: the titles, unless all are empty, then the rows. Without line ends.
  package func lines(for terminal: Terminal) -> [String] {
    let header = columns.map { Cell($0.title, .bold) }
    let all = columns.allSatisfy(\.title.isEmpty) ? rows : [header] + rows
    let widths = columns.indices.map { index in
      min(Self.widest, all.map { displayWidth(of: $0[index].text) }.max() ?? 0)
    }
    return all.map { line($0, widths, terminal) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> String {
    var line = ""
    var pending = 0
    var used = 0
    for (index, cell) in cells.enumerated() {
      let space = max(0, widths[index] - displayWidth(of: cell.text))
      let before = columns[index].alignment == .right ? space : 0
      if !cell.text.isEmpty {
        var text = cell.text
        if let width = terminal.width { text = cut(text, toWidth: width - used - pending - before) }
        if text.isEmpty { break }
        line += String(repeating: " ", count: pending + before) + terminal.styled(text, cell.style)
        used += pending + before + displayWidth(of: text)
        pending = 0
        if text.utf8.count != cell.text.utf8.count { break }
      } else {
        pending += before
      }
      pending += space - before + 2
    }
    return line
  }
}
