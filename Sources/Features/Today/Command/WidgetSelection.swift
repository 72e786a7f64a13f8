import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// `host today ID --select N`: has one row of a widget do what it does.
struct WidgetSelection {
  let invocation: Invocation
  let stack: HostStack
  let entry: RegistryEntry
  let presentation: WidgetPresentation
  /// The row's place among those that the widget shows, from 0.
  let row: Int

  func run() async throws -> ExitStatus {
    switch try WidgetChoice(row: row, of: try await shown()) {
    case .open(let url): return try await open(url)
    case .act(let action): return try await act(action)
    }
  }

  /// Returns the view that the user saw last; the widget's current view when there is none or the user wants a new one.
  private func shown() async throws -> WidgetUpdate {
    let stored = WidgetUpdate.stored(entry, in: presentation, on: stack)
    guard stored.state.snapshot == nil || invocation.parsed.flag("refresh"), !stored.state.isHidden else {
      return stored
    }
    let update = await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack)
    if let error = update.error { throw error }
    return update
  }

  private func open(_ url: String) async throws -> ExitStatus {
    let opened = try await stack.open(url, from: entry)
    if invocation.wantsJSON {
      var object: JSONObject = [
        "id": .string(entry.identifier), "row": .integer(Int64(row + 1)), "url": .string(url),
        "app": .string(opened.app), "handled": .bool(opened.result.handled),
      ]
      if let text = opened.result.presentation { object["presentation"] = .string(text) }
      invocation.printJSON(.object(object))
    } else if let text = opened.result.presentation {
      invocation.console.print(ShownText(lines: text))
    }
    guard opened.result.handled else {
      if !invocation.wantsJSON {
        invocation.console.fail(
          "\(opened.app) does not know the URL \(url).", help: "Ask the widget's author: it is a row's URL.")
      }
      return .failure
    }
    return .success
  }

  private func act(_ action: String) async throws -> ExitStatus {
    let update = await WidgetUpdate.select(row, action: action, of: entry, in: presentation, on: stack)
    if invocation.wantsJSON {
      var object = try update.document(for: invocation)
      object["row"] = .integer(Int64(row + 1))
      object["action"] = .string(action)
      invocation.printJSON(.object(object))
    } else {
      update.print(to: invocation)
    }
    return update.error.map { Failure($0).status } ?? .success
  }
}
