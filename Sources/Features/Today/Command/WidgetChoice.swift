import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// The effect of choosing a row of a widget.
enum WidgetChoice: Sendable, Equatable {
  /// Opens a URL in the containing app.
  case open(String)
  /// The widget performs a task.
  case act(String)

  /// - Throws: `invalidParams` for a row that is not there, or does nothing.
  init(row: Int, of update: WidgetUpdate) throws(ExtensionError) {
    let rows = update.state.snapshot?.view.rows ?? []
    let name = update.entry.displayName
    guard rows.indices.contains(row) else {
      let count = rows.count == 1 ? "one row" : "\(rows.count) rows"
      throw ExtensionError(
        .invalidParams, rows.isEmpty ? "\(name) shows no rows." : "\(name) has \(count), and no row \(row + 1).",
        recovery: rows.isEmpty ? "Only a row can be chosen." : "Choose one of 1 to \(rows.count).")
    }
    if let url = rows[row].url {
      self = .open(url)
    } else if let action = rows[row].action {
      self = .act(action)
    } else {
      throw ExtensionError(
        .invalidParams, "Row \(row + 1) of \(name) can do nothing.",
        recovery: "Choose a row that has a URL or an action; --json shows which have.")
    }
  }
}

extension WidgetUpdate {
  /// Tells the widget that a row with an action was chosen.
  static func select(
    _ row: Int, action: String, of entry: RegistryEntry, in presentation: WidgetPresentation, on stack: HostStack
  ) async -> WidgetUpdate {
    let state = await stack.service(TodayService.self).select(
      row, action: action, of: entry.identifier, on: stack.host, in: presentation)
    return WidgetUpdate(entry: entry, state: state, isTask: true)
  }
}
