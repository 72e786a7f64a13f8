import CommandLineTool
package import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Today widgets in the tool.
package enum TodayCommands: CommandFeature {
  /// The command `host today`.
  package static let commands: [any HostSubcommand.Type] = [TodayCommand.self]

  /// Updates the compact widget once.
  package static let traced: TracedRun? = TracedRun(.today) { entry, stack, invocation in
    let presentation = WidgetPresentation(wanted: .compact, fitsScreen: false)
    let update = await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack)
    if let error = update.error { return Failure(error).print(to: invocation) }
    invocation.console.note("\(entry.displayName): \(update.state.outcome?.rawValue ?? "hidden").")
    return .success
  }
}

/// `host today`: brings Today widgets up to date and shows them.
enum TodayCommand: HostSubcommand {
  static let command = Command(
    "today", summary: "Show the Today widgets",
    discussion: """
      A widget is compact unless it has an expanded view and --expanded is given. After a failure a widget waits one \
      minute before the next update, then two, four and so on, up to an hour.

      With --watch the last views are shown at once and updated after every interval, and when another program \
      changes the group store or the content cache, until you press Ctrl-C. At a terminal the arrow keys choose a \
      row, Return opens its URL in the containing app or runs its action, r updates all widgets, and ? shows the \
      keys.

      --select chooses a row without a terminal: it opens the row's URL in the containing app, as open-url does, or \
      runs its action and shows the new view.
      """,
    example: "host today com.example.adventures.today --expanded",
    options: [
      .flag("refresh", "Ask for content even when the cache has it"),
      .flag("expanded", "Show the expanded views"),
      .flag("watch", "Keep showing the widgets until you press Ctrl-C"),
      .flag("stream", "With --json, print each widget as one object a line, as soon as it answers"),
      .value("select", "N", "Choose a row of the widget's last view, counted from 1"),
      .value("interval", "SECONDS", "With --watch, the time between updates", default: "60"), .config, .trace,
    ],
    arguments: [CommandArgument("ID", "The widgets to show; all when absent", .any, values: .identifier)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let interval = try invocation.parsed.integer("interval", in: 1...86_400) ?? 60
    if invocation.parsed.flag("stream"), !invocation.wantsJSON {
      throw CommandLineError("--stream is about JSON.", help: "Write --json --stream.")
    }
    let row = try invocation.parsed.integer("select", in: 1...1_000_000)
    if row != nil, invocation.parsed.flag("watch") || invocation.parsed.arguments("ID").count != 1 {
      throw CommandLineError(
        "--select is about one widget, and not for --watch.", help: "Write \"host today ID --select N\".")
    }
    let stack = try HostStack(invocation)
    let entries = try chosen(invocation, stack.registry)
    if entries.isEmpty { invocation.console.note("There is no Today widget. “host list” shows what there is.") }
    let wanted: WidgetDisplayMode = invocation.parsed.flag("expanded") ? .expanded : .compact
    if invocation.parsed.flag("watch"), !entries.isEmpty {
      guard TerminalKeys.arePossible(invocation) else {
        return try await WidgetWatch(invocation, stack, entries, wanted: wanted, interval: Double(interval)).run()
      }
      return try await WidgetBoard(invocation, stack, entries, wanted: wanted, interval: Double(interval)).run()
    }
    let presentation = WidgetPresentation(wanted: wanted, fitsScreen: false)
    if let row, let entry = entries.first {
      return try await WidgetSelection(
        invocation: invocation, stack: stack, entry: entry, presentation: presentation, row: row - 1
      ).run()
    }
    let updates = try await WidgetRun(
      invocation: invocation, stack: stack, entries: entries, presentation: presentation
    ).run()
    let failures = updates.compactMap(\.error)
    return failures.isEmpty ? .success : failures.count == 1 ? Failure(failures[0]).status : .failure
  }

  private static func chosen(_ invocation: Invocation, _ registry: ExtensionRegistry) throws -> [RegistryEntry] {
    let names = invocation.parsed.arguments("ID")
    if names.isEmpty { return registry.extensions(at: .today) }
    return try names.map { name in
      try registry.enabledExtension(name, at: .today)
    }
  }
}
