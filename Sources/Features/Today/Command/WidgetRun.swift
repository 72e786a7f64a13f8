import CommandLineTool
import CommandRuntime
import ExtensionHosting
import HostServices
import JSON

/// One update of some widgets in parallel. Each is shown as soon as it finishes, so a widget that hangs does not delay
/// another.
struct WidgetRun {
  let invocation: Invocation
  let stack: HostStack
  let entries: [RegistryEntry]
  let presentation: WidgetPresentation

  /// - Returns: the updates, in the order of the list.
  func run() async throws -> [WidgetUpdate] {
    var list = WidgetList(entries, on: invocation)
    list.begin()
    await withTaskGroup(of: (Int, WidgetUpdate).self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask(executorPreference: invocation.loop) {
          var update = await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack)
          update.isStrict = invocation.isForAuthor
          return (index, update)
        }
      }
      for await (index, update) in group { list.take(update, at: index) }
    }
    return try list.end()
  }
}

/// The widgets of an update, in the order in which they finish.
///
/// At a terminal they appear in the order of the list: finished widgets whose predecessors have finished are printed
/// permanently, and the part below may still change. Elsewhere each is printed after its predecessors; `--json` prints
/// one array at the end, and `--stream` one object on each line as widgets finish.
private struct WidgetList {
  private let entries: [RegistryEntry]
  private let invocation: Invocation
  private var updates: [WidgetUpdate?]
  /// The number of widgets that are printed permanently.
  private var printed = 0

  init(_ entries: [RegistryEntry], on invocation: Invocation) {
    self.entries = entries
    self.invocation = invocation
    updates = entries.map { _ in nil }
  }

  private var isStream: Bool { invocation.parsed.flag("stream") }

  mutating func begin() {
    if !invocation.wantsJSON, invocation.console.terminal.movesCursor { draw() }
  }

  mutating func take(_ update: WidgetUpdate, at index: Int) {
    updates[index] = update
    if invocation.wantsJSON {
      if isStream, let document = try? update.document(for: invocation) { invocation.printJSONLine(.object(document)) }
      return
    }
    guard invocation.console.terminal.movesCursor else {
      if printed > 0 { invocation.console.print() }
      update.print(to: invocation)
      printed += 1
      return
    }
    // A question keeps lines away, and not what may still change: a widget is to be seen while the user is asked.
    if !invocation.console.screen.isAsking { printThoseInOrder() }
    draw()
  }

  private mutating func printThoseInOrder() {
    guard printed < updates.count, updates[printed] != nil else { return }
    invocation.console.show(nil)
    while printed < updates.count, let next = updates[printed] {
      if printed > 0 { invocation.console.print() }
      next.print(to: invocation)
      printed += 1
    }
  }

  mutating func end() throws -> [WidgetUpdate] {
    if !invocation.wantsJSON, invocation.console.terminal.movesCursor {
      printThoseInOrder()
      invocation.console.show(nil)
    }
    let all = updates.compactMap(\.self)
    if invocation.wantsJSON, !isStream {
      invocation.printJSON(.array(try all.map { .object(try $0.document(for: invocation)) }))
    }
    return all
  }

  /// What may still change; the console leaves out what does not fit on the screen.
  private func draw() {
    guard printed < entries.count else { return invocation.console.show(nil) }
    // Without styles: a line that is cut would lose their ends.
    let terminal = Terminal(width: invocation.console.terminal.width, showsStyles: false)
      .resized(to: TerminalSize(descriptor: 1)?.columns)
    var lines: [ShownText] = []
    for index in printed..<entries.count {
      if index > 0 { lines.append("") }
      if let update = updates[index] {
        lines += update.lines(for: terminal)
        if let error = update.error { lines.append("  error: \(error.message)") }
      } else {
        lines.append("\(entries[index].displayName) …")
      }
    }
    invocation.console.show(.lines(lines))
  }
}
