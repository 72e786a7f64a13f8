import CommandLineTool
import Contracts
import HostServices

/// A widget's view as lines for a terminal. Everything in it is foreign text and is escaped.
struct WidgetText {
  /// Rows shown in compact mode; expanded shows them all.
  static let compactRows = 5

  let view: WidgetView
  let displayMode: WidgetDisplayMode

  /// Prints the view, indented below its widget's name.
  func print(to console: Console) {
    if let title = view.title { console.print("  \(console.terminal.styled(title.escapedForTerminal, .bold))") }
    if let text = view.text {
      for line in text.escapedForTerminalKeepingLines.split(separator: "\n", omittingEmptySubsequences: false) {
        console.print("  \(line)")
      }
    }
    let shown = displayMode == .compact ? Array(view.rows.prefix(Self.compactRows)) : view.rows
    guard !shown.isEmpty else { return }
    var table = TextTable([.init(""), .init(""), .init(""), .init("", .right)])
    for row in shown { table.add(["", .init(row.title), .init(row.subtitle ?? "", .dim), .init(row.value ?? "")]) }
    console.print(table)
    let hidden = view.rows.count - shown.count
    if hidden > 0 { console.print("  … and \(hidden) more (--expanded shows all)") }
  }
}
