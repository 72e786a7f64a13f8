import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// The display of one widget, as text or as JSON.
struct WidgetUpdate: Sendable {
  let entry: RegistryEntry
  let state: WidgetState
  /// Whether the update is the result of a chosen row.
  var isTask = false
  /// Whether unknown keys of the answer are an error: while its author tries it with `host dev`.
  var isStrict = false

  /// What is wrong with the keys of the answer; `nil` when all are known.
  private var unknownKeys: String? {
    state.unknownKeys.isEmpty
      ? nil
      : "\(entry.displayName) answers with keys that are not known: \(state.unknownKeys.joined(separator: ", "))."
  }

  var error: ExtensionError? {
    if let error = state.error { return error }
    if isStrict, let unknownKeys {
      return ExtensionError(
        .protocolViolation, unknownKeys,
        recovery: "Correct the keys: a view has title, text and rows; a row has title, subtitle, value, url and action."
      )
    }
    guard state.outcome == .failed else { return nil }
    return ExtensionError(.handlerFailed, "\(entry.displayName) reports that its \(isTask ? "task" : "update") failed.")
  }

  static func run(
    _ entry: RegistryEntry, reason: WidgetUpdateReason, in presentation: WidgetPresentation, on stack: HostStack
  ) async -> WidgetUpdate {
    let today = stack.service(TodayService.self)
    let state = await today.update(entry.identifier, on: stack.host, reason: reason, in: presentation)
    return WidgetUpdate(entry: entry, state: state)
  }

  /// Returns the last view without starting the widget.
  static func stored(_ entry: RegistryEntry, in presentation: WidgetPresentation, on stack: HostStack) -> WidgetUpdate {
    WidgetUpdate(entry: entry, state: stack.service(TodayService.self).stored(entry.identifier, in: presentation))
  }

  /// The widget for people: its name, what is to be said of it, and its view.
  func lines(for terminal: Terminal) -> [ShownText] {
    let heading = heading(for: terminal)
    guard !state.isHidden, let snapshot = state.snapshot else { return heading }
    return heading + WidgetText(snapshot.view, in: state.displayMode, state.size).lines(for: terminal)
  }

  /// Returns the view with rows that can be chosen, and with the error.
  func section(for terminal: Terminal) -> ChoiceScreen.Section {
    var section = ChoiceScreen.Section()
    if !state.isHidden, let snapshot = state.snapshot {
      section = WidgetText(snapshot.view, in: state.displayMode, state.size).section(for: terminal)
    }
    section.above = heading(for: terminal) + section.above
    if let error {
      let line: ShownText = "  error: \(error.message)"
      section.below.append(terminal.width.map { cut(line, toWidth: $0) } ?? line)
    }
    return section
  }

  private func heading(for terminal: Terminal) -> [ShownText] {
    let name = terminal.styled("\(entry.displayName)", .cyan)
    if state.isHidden {
      return ["\(name) (hidden)", "  says that it has no content; its app can bring it back"]
    }
    let note: ShownText = state.isStale ? " (stale)" : state.outcome == .noData ? " (unchanged)" : ""
    let isEmpty = state.snapshot == nil && state.outcome != .failed
    return ["\(name)\(note)"] + (isEmpty ? ["  nothing to show yet"] : [])
  }

  /// The widget's lines, and on standard error what went wrong.
  func print(to invocation: Invocation) {
    for line in lines(for: invocation.console.terminal) { invocation.console.print(line) }
    if let error {
      _ = Failure(error).print(to: invocation)
    } else if let unknownKeys {
      invocation.console.warn("\(unknownKeys)")
    }
  }

  /// `{id, result, stale, updatedAt, view, error?}`, with `hidden` for a widget without content. A view that was stored has
  /// no result.
  func document(for invocation: Invocation) throws -> JSONObject {
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["result"] = state.outcome.map { .string($0.rawValue) }
    object["stale"] = .bool(state.isStale)
    object["updatedAt"] = state.snapshot.map { .double($0.updatedAt) } ?? .null
    object["view"] = try state.snapshot.map { try JSONCoding.value(of: $0.view) } ?? .null
    if state.isHidden { object["hidden"] = true }
    if let error { object["error"] = .object(Failure(error).object(for: invocation)) }
    return object
  }
}
