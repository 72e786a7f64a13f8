/// Rows of text in aligned columns.
///
/// No line ends in spaces. At a terminal the columns share its width: each has what its longest word needs, and what is left
/// over goes to those with more to say. Cells then go on below, broken between words; cells that are aligned right hold
/// figures, and are not broken. Where the terminal is too narrow for that, each row becomes a block: its first cell, and
/// below it a line for each other one, with the title of its column. No word is broken then, and none is cut. Into a file or
/// pipe cells are written as they may be shown.
package struct TextTable: Sendable {
  /// The side of a column that its cells are aligned to.
  package enum Alignment: Sendable { case left, right }

  /// A column: its title and its alignment.
  package struct Column: Sendable {
    let title: String
    let alignment: Alignment

    /// Creates a column, aligned left by default.
    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// A cell: its text and its style.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: ShownText
    let style: TextStyle?

    /// Creates a cell. Control characters of the text are escaped.
    package init(_ text: String, _ style: TextStyle? = nil) {
      self.text = ShownText(text)
      self.style = style
    }

    /// A cell with a text that may be shown already.
    package init(shown text: ShownText, _ style: TextStyle? = nil) {
      self.text = text
      self.style = style
    }

    /// Creates a cell from a literal.
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

  /// Creates a table without rows; by default long cells are wrapped.
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
    let space = max(0, width - 2 * (columns.count - 1))
    let needed = columns.indices.map { index in
      columns[index].alignment == .right ? natural[index] : all.map { longestWord($0[index].text) }.max() ?? 0
    }
    if overflow == .wrap, needed.reduce(0, +) > space { return rows.flatMap { block($0, width, terminal) } }
    let widths = ColumnWidths.sharing(space, natural: natural, needed: overflow == .cut ? nil : needed)
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

  /// A row as lines below each other: its first cell, and the others with their titles.
  private func block(_ row: [Cell], _ width: Int, _ terminal: Terminal) -> [ShownText] {
    // Marks without a title stand before the first cell that has one.
    let first = columns.firstIndex { !$0.title.isEmpty } ?? 0
    guard row.indices.contains(first) else { return [] }
    let head = (row[..<first].map(\.text).filter { $0.description.contains { $0 != " " } } + [row[first].text]).joined(
      separator: " ")
    let indent = head.description.prefix { $0 == " " }.count + 2
    let names = columns[(first + 1)...].map { $0.title.filter { $0 != " " } }
    let column = names.map { displayWidth(of: $0) }.max() ?? 0
    var lines = wrapped(head, toWidth: width).map { terminal.styled($0, row[first].style) }
    for (name, cell) in zip(names, row[(first + 1)...]) where cell.text != "" {
      let title = name.isEmpty ? "" : name + String(repeating: " ", count: column - displayWidth(of: name) + 2)
      var margin = String(repeating: " ", count: indent)
      // A value that does not fit beside its title stands below it.
      let fits = indent + displayWidth(of: title) + longestWord(cell.text) <= width
      if !fits, !name.isEmpty {
        lines.append("\(margin)\(terminal.styled("\(name)", .bold))")
        margin += "  "
      }
      let before: ShownText = fits ? terminal.styled("\(title)", .bold) : ""
      let rest = String(repeating: " ", count: fits ? displayWidth(of: title) : 0)
      let value = wrapped(cell.text, toWidth: max(1, width - margin.count - rest.count))
      for (number, part) in value.enumerated() {
        lines.append("\(margin)\(number == 0 ? before : "\(rest)")\(terminal.styled(part, cell.style))")
      }
    }
    return lines
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
