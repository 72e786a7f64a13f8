import CommandLineTool
import CommandRuntime
import ExtensionHosting
import HostServices
import JSON

/// One update of some widgets, side by side, each shown as soon as it is there: one that hangs keeps no other waiting.
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
          (index, await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack))
        }
      }
      for await (index, update) in group { list.take(update, at: index) }
    }
    return try list.end()
  }
}

/// The widgets that an update was asked of, as they come.
///
/// At a terminal they stand in the order of the list: those that have come and all before them are printed for good, and
/// below them is what may still change. Elsewhere each is printed when those before it are there; with `--json` they are
/// one array at the end, or with `--stream` an object a line, as they come.
private struct WidgetList {
  private let entries: [RegistryEntry]
  private let invocation: Invocation
  private var updates: [WidgetUpdate?]
  /// How many of the list are printed for good.
  private var printed = 0
  /// Lines below those that may still change.
  private var drawn = 0

  init(_ entries: [RegistryEntry], on invocation: Invocation) {
    self.entries = entries
    self.invocation = invocation
    updates = entries.map { _ in nil }
  }

  private var isStream: Bool { invocation.parsed.flag("stream") }

  mutating func begin() {
    if !invocation.wantsJSON { draw() }
  }

  mutating func take(_ update: WidgetUpdate, at index: Int) {
    updates[index] = update
    if invocation.wantsJSON {
      if isStream, let document = try? update.document(for: invocation) { invocation.printJSONLine(.object(document)) }
      return
    }
    erase()
    while printed < updates.count, let next = updates[printed] {
      if printed > 0 { invocation.console.print() }
      next.print(to: invocation)
      printed += 1
    }
    draw()
  }

  mutating func end() throws -> [WidgetUpdate] {
    let all = updates.compactMap(\.self)
    if invocation.wantsJSON, !isStream {
      invocation.printJSON(.array(try all.map { .object(try $0.document(for: invocation)) }))
    }
    return all
  }

  /// What may still change, as much of it as fits on the screen.
  private mutating func draw() {
    guard printed < entries.count, invocation.console.terminal.isTerminal, let size = TerminalSize(descriptor: 1) else {
      return
    }
    // Without styles: a line that is cut would lose their ends.
    let terminal = Terminal(width: size.columns, showsStyles: false)
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
    for line in lines.prefix(max(0, size.lines - 1)) {
      invocation.console.print(cut(line, toWidth: size.columns - 1))
      drawn += 1
    }
  }

  private mutating func erase() {
    if drawn > 0 { invocation.console.write("\u{1b}[\(drawn)A\u{1b}[J") }
    drawn = 0
  }
}
