import CommandLineTool
import CommandRuntime
import Contracts
import Glibc
import HostServices

/// A widget's view as lines for a terminal, cut to the size of the widget. All of its text is untrusted.
struct WidgetText {
  let view: WidgetView
  let displayMode: WidgetDisplayMode
  /// The size of the widget. Only the height is used: the width is that of the terminal.
  let size: WidgetSize

  init(_ view: WidgetView, in displayMode: WidgetDisplayMode, _ size: WidgetSize) {
    self.view = view
    self.displayMode = displayMode
    self.size = size
  }

  /// The view, indented to stand below its widget's name; at most as many lines as there is space for, and one that says how
  /// many are left out.
  func lines(for terminal: Terminal) -> [ShownText] {
    let section = section(for: terminal)
    return section.above + section.rows.map { "  \($0.line)" } + section.below
  }

  /// Returns the view with rows that can be chosen.
  func section(for terminal: Terminal) -> ChoiceScreen.Section {
    var lines: [ShownText] = []
    // The text stands two columns in.
    let width = terminal.width.map { max(1, $0 - 2) }
    if let title = view.title {
      let shown = width.map { cut("\(title)", toWidth: $0) } ?? "\(title)"
      lines.append("  \(terminal.styled(shown, .bold))")
    }
    for line in textLines { lines += folded("\(line)", width).map { "  \($0)" } }
    let height = max(size.height, 1)
    let rows = view.rows.prefix(max(height - lines.count, 0))
    let hidden = max(lines.count - height, 0) + view.rows.count - rows.count
    var section = ChoiceScreen.Section(above: Array(lines.prefix(height)))
    let plain = table(rows).lines(for: Terminal(width: width, showsStyles: false))
    section.rows = zip(table(rows).lines(for: terminal.resized(to: width)), plain).map { line, plain in
      ChoiceScreen.Row(line: line, plain: plain)
    }
    if hidden > 0 {
      let more: ShownText = displayMode == .compact ? " (--expanded shows more)" : ""
      section.below = ["  … and \(hidden) more\(more)"]
    }
    return section
  }

  /// A line broken between words, and within those that are longer than the terminal is wide.
  private func folded(_ line: ShownText, _ width: Int?) -> [ShownText] {
    guard let width else { return [line] }
    return wrapped(line, toWidth: width, long: broken)
  }

  private var textLines: [Substring] {
    guard let text = view.text else { return [] }
    // With the return before it, the end of a line is one character of its own.
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  private func table(_ rows: ArraySlice<WidgetView.Row>) -> TextTable {
    // A column that no row fills would keep the space before it from the titles.
    let hasSubtitles = rows.contains { $0.subtitle?.isEmpty == false }
    let hasValues = rows.contains { $0.value?.isEmpty == false }
    func columns<Part>(_ title: Part, _ subtitle: Part, _ value: Part) -> [Part] {
      [title] + (hasSubtitles ? [subtitle] : []) + (hasValues ? [value] : [])
    }
    var table = TextTable(columns(.init(""), .init(""), .init("", .right)), overflow: .cut)
    for row in rows {
      table.add(columns(.init(row.title), .init(row.subtitle ?? "", .dim), .init(row.value ?? "")))
    }
    return table
  }
}

extension WidgetPresentation {
  /// The space for a widget in the terminal that standard output leads to.
  ///
  /// - Parameter fitsScreen: whether an expanded widget ends at the bottom of the screen; else the screen scrolls.
  init(wanted: WidgetDisplayMode, fitsScreen: Bool) {
    let size = TerminalSize(descriptor: STDOUT_FILENO)
    self.init(
      wanted: wanted, columns: size?.columns ?? Self.standardColumns,
      maximumLines: fitsScreen ? size.map { $0.lines - 3 } ?? Self.standardLines : Self.standardLines)
  }
}
