/// What the screen looks like.
extension ChoiceScreen {
  /// A line of the lists.
  struct Line {
    var text: ShownText
    /// The text without styles.
    var plain: ShownText
    var isChosen: Bool
  }

  /// Lines for the lists, above the one at the bottom; the last line of a terminal stays free for the cursor.
  var space: Int { max(1, height - 2) }

  /// Lines for the text of a page, below its title and an empty line.
  var pageSpace: Int { max(1, height - 4) }

  /// All lines of the lists.
  var lines: [Line] {
    sections.indices.flatMap { index -> [Line] in
      let section = sections[index]
      let plain = { (line: ShownText) in Line(text: line, plain: line, isChosen: false) }
      let rows = section.rows.indices.map { row in
        Line(
          text: "  \(section.rows[row].line)", plain: section.rows[row].plain,
          isChosen: chosen == Place(section: index, position: row))
      }
      let end: [ShownText] = index < sections.count - 1 ? [""] : []
      return section.above.map(plain) + rows + (section.below + end).map(plain)
    }
  }

  /// The text of a page in lines as wide as the terminal.
  func pageLines(_ page: Page) -> [ShownText] {
    page.text.description.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      wrapped(ShownText(whole: line), toWidth: columns, long: broken)
    }
  }

  /// The lines to be drawn from the top of the terminal, fewer than it has. None is wider than it.
  package func drawing(for terminal: Terminal) -> [ShownText] {
    let shown: [ShownText]
    let bottom: ShownText
    if let page {
      let lines = pageLines(page)
      let title = terminal.styled(cut(page.title, toWidth: columns), .bold)
      shown = [title, ""] + lines.dropFirst(page.offset).prefix(pageSpace)
      let end = min(lines.count, page.offset + pageSpace)
      bottom =
        lines.count > pageSpace
        ? "Lines \(page.offset + 1) to \(end) of \(lines.count). Space: on, Esc: back." : "Esc: back."
    } else {
      shown = lines.dropFirst(top).prefix(space).map { draw($0, terminal) }
      bottom = chosen == nil ? "r: refresh, ?: keys, q: end." : "Return: open, r: refresh, ?: keys, q: end."
    }
    let last = terminal.styled(cut(notice ?? bottom, toWidth: columns), .dim)
    return Array((Array(shown.prefix(max(0, height - 2))) + [last]).suffix(max(1, height - 1)))
  }

  /// A chosen row has a mark, for terminals without styles, too.
  private func draw(_ line: Line, _ terminal: Terminal) -> ShownText {
    guard line.isChosen else { return line.text }
    return terminal.styled(cut("> \(line.plain)", toWidth: columns), .inverse)
  }
}
