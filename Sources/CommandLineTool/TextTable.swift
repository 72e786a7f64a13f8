/// Rows of text in aligned columns.
///
/// No line ends in spaces, and lines are cut to the width of a terminal; into a file or pipe cells are written as they may
/// be shown.
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
  package func lines(for terminal: Terminal) -> [ShownText] {
    let header = columns.map { Cell($0.title, .bold) }
    let all = columns.allSatisfy(\.title.isEmpty) ? rows : [header] + rows
    let widths = columns.indices.map { index in min(Self.widest, all.map { $0[index].text.width }.max() ?? 0) }
    return all.map { line($0, widths, terminal) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> ShownText {
    var line: ShownText = ""
    var pending = 0
    var used = 0
    for (index, cell) in cells.enumerated() {
      let space = max(0, widths[index] - cell.text.width)
      let before = columns[index].alignment == .right ? space : 0
      if cell.text != "" {
        var text = cell.text
        if let width = terminal.width { text = cut(text, toWidth: width - used - pending - before) }
        if text == "" { break }
        line = "\(line)\(String(repeating: " ", count: pending + before))\(terminal.styled(text, cell.style))"
        used += pending + before + text.width
        pending = 0
        if text != cell.text { break }
      } else {
        pending += before
      }
      pending += space - before + 2
    }
    return line
  }
}
