/// Rows of text in aligned columns.
///
/// No line ends in spaces. At a terminal the columns share its width: each has what its longest word needs, where that is
/// there, and what is left over goes to those with more to say. Cells then go on below, broken between words; what still
/// does not fit is cut, with a mark. Into a file or pipe cells are written as they may be shown.
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

  /// A cell: its text and its style.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: ShownText
    let style: TextStyle?

    package init(_ text: String, _ style: TextStyle? = nil) {
      self.text = ShownText(text)
      self.style = style
    }

    /// A cell with a text that may be shown already.
    package init(shown text: ShownText, _ style: TextStyle? = nil) {
      self.text = text
      self.style = style
    }

    package init(stringLiteral text: String) { self.init(text) }
  }

  /// The largest width that one cell gives to its column, in characters. A longer text continues past it, and the other
  /// cells of the column are not padded to it.
  static let widest = 200

  /// What becomes of a cell that is wider than its column.
  package enum Overflow: Sendable { case wrap, cut }

  private let columns: [Column]
  private let overflow: Overflow
  private var rows: [[Cell]] = []

  package init(_ columns: [Column], overflow: Overflow = .wrap) {
    self.columns = columns
    self.overflow = overflow
  }

  /// Adds a row. Missing cells are empty; cells past the last column are dropped.
  package mutating func add(_ cells: [Cell]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : "" })
  }

  /// Whether there are no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// The lines: the titles, unless all are empty, then the rows. Without line ends.
  package func lines(for terminal: Terminal) -> [ShownText] {
    let header = columns.map { Cell($0.title, .bold) }
    let all = columns.allSatisfy(\.title.isEmpty) ? rows : [header] + rows
    let natural = columns.indices.map { index in all.map { $0[index].text.width }.max() ?? 0 }
    guard let width = terminal.width else {
      let widths = natural.map { min(Self.widest, $0) }
      return all.map { line($0, widths, terminal) }
    }
    let widths = ColumnWidths.sharing(
      max(0, width - 2 * (columns.count - 1)), natural: natural,
      needed: overflow == .cut
        ? nil : columns.indices.map { index in all.map { longestWord($0[index].text) }.max() ?? 0 })
    return all.flatMap { row in
      let cells = zip(row, widths).map { cell, width in
        overflow == .cut ? [CommandLineTool.cut(cell.text, toWidth: width)] : wrapped(cell.text, toWidth: width)
      }
      return (0..<(cells.map(\.count).max() ?? 0)).map { number in
        let parts = zip(row, cells).map { cell, lines in
          Cell(shown: number < lines.count ? lines[number] : "", cell.style)
        }
        return line(parts, widths, terminal)
      }
    }
  }

  /// Cells of one line, none wider than its column.
  private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> ShownText {
    var line: ShownText = ""
    var pending = 0
    for (index, cell) in cells.enumerated() {
      let space = max(0, widths[index] - cell.text.width)
      let before = columns[index].alignment == .right ? space : 0
      if cell.text != "" {
        line = "\(line)\(String(repeating: " ", count: pending + before))\(terminal.styled(cell.text, cell.style))"
        pending = 0
      } else {
        pending += before
      }
      pending += space - before + 2
    }
    return line
  }
}
