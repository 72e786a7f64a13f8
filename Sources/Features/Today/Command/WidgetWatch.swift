import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import Glibc
import HostServices
import JSON

/// `host today --watch` for programs, and for terminals without keys: shows the widgets until the task is cancelled.
struct WidgetWatch {
  /// How often what may have changed is looked at.
  private static let pollInterval = Duration.seconds(1)

  private let invocation: Invocation
  private let stack: HostStack
  private let entries: [RegistryEntry]
  private let wanted: WidgetDisplayMode
  private var shown: [WidgetUpdate] = []
  private var schedule: WidgetSchedule
  /// The size of the terminal at the last drawing.
  private var drawnSize: TerminalSize?

  init(
    _ invocation: Invocation, _ stack: HostStack, _ entries: [RegistryEntry], wanted: WidgetDisplayMode,
    interval: Double
  ) {
    self.invocation = invocation
    self.stack = stack
    self.entries = entries
    self.wanted = wanted
    schedule = WidgetSchedule(invocation, stack, entries, interval: interval)
  }

  /// Shows the stored views at once, then live ones.
  func run() async throws -> ExitStatus {
    try await invocation.watching {
      defer { invocation.console.show(nil) }
      var watch = self
      try await watch.loop()
    }
  }

  private var presentation: WidgetPresentation { WidgetPresentation(wanted: wanted, fitsScreen: true) }

  private mutating func loop() async throws {
    shown = entries.map { WidgetUpdate.stored($0, in: presentation, on: stack) }
    for update in shown where update.state.snapshot != nil { try say("snapshot", update) }
    draw()
    try await schedule.settle()
    await refresh(Set(entries.indices), .visible)
    while !Task.isCancelled {
      try await invocation.loop.sleep(for: Self.pollInterval)
      drawIfResized()
      let (pushed, scheduled) = try await schedule.due()
      if !pushed.isEmpty { await refresh(pushed, .push) }
      if !scheduled.isEmpty { await refresh(scheduled, .scheduled) }
    }
  }

  /// Updates some widgets, side by side.
  private mutating func refresh(_ indices: Set<Int>, _ reason: WidgetUpdateReason) async {
    let (stack, presentation, entries, loop) = (stack, presentation, entries, invocation.loop)
    await withTaskGroup(of: (Int, WidgetUpdate).self) { group in
      for index in indices {
        group.addTask(executorPreference: loop) {
          (index, await WidgetUpdate.run(entries[index], reason: reason, in: presentation, on: stack))
        }
      }
      for await (index, update) in group where !Task.isCancelled {
        shown[index] = update
        try? say("update", update)
        draw()
      }
    }
    await schedule.settleContent()
  }

  /// A terminal may be made wider or narrower between two updates.
  private mutating func drawIfResized() {
    let size = TerminalSize(descriptor: STDOUT_FILENO)
    if size != drawnSize { draw() }
  }

  /// Prints one JSON line, or the widget's lines where the screen cannot be redrawn.
  private func say(_ event: String, _ update: WidgetUpdate) throws {
    if invocation.wantsJSON {
      var object: JSONObject = ["event": .string(event)]
      for (key, value) in try update.document(for: invocation) { object[key] = value }
      invocation.printJSONLine(.object(object))
    } else if !invocation.console.terminal.movesCursor {
      update.print(to: invocation)
    }
  }

  /// Draws all widgets on a terminal.
  private mutating func draw() {
    guard !invocation.wantsJSON, invocation.console.terminal.movesCursor else { return }
    drawnSize = TerminalSize(descriptor: STDOUT_FILENO)
    let terminal = invocation.console.terminal.resized(to: drawnSize?.columns)
    var lines: [ShownText] = []
    for update in shown {
      lines += update.lines(for: terminal)
      if let error = update.error {
        lines.append("  \(terminal.styled("error:", .red)) \(error.message)")
      }
      lines.append("")
    }
    if let size = drawnSize { lines = Array(lines.prefix(max(0, size.lines - 2))) }
    lines.append(terminal.styled("Press Ctrl-C to end.", .dim))
    invocation.console.show(.page(lines))
  }
}
