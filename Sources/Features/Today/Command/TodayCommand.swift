import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostCLI
import HostServices
import JSONRPC

/// `host today`: brings Today widgets up to date and shows them.
enum TodayCommand: HostSubcommand {
  static let command = Command(
    "today", summary: "Show the Today widgets",
    discussion: """
      A widget is compact unless it has an expanded view and --expanded asks for it. With --watch the last views are shown \
      at once; each widget is then updated, and again after every interval and when the group store or the content cache \
      changes, until you press Ctrl-C. After a failure a widget waits a minute, then two, four and so on, an hour at most.
      """,
    example: "host today com.example.adventures.today --expanded",
    options: [
      .flag("refresh", "Ask for content again, whatever the cache holds"),
      .flag("expanded", "Show the expanded view of a widget"),
      .flag("watch", "Go on showing the widgets until you press Ctrl-C"),
      .value("interval", "SECONDS", "With --watch, the time between updates", default: "60"), .config, .trace,
    ],
    arguments: [CommandArgument("ID", "The widgets to show; all when absent", .any)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let interval = try invocation.parsed.integer("interval", in: 1...86_400) ?? 60
    let stack = try HostStack(invocation)
    let entries = try chosen(invocation, stack.registry)
    if entries.isEmpty { invocation.console.note("There is no Today widget. “host list” shows what there is.") }
    let wanted: WidgetDisplayMode = invocation.parsed.flag("expanded") ? .expanded : .compact
    if invocation.parsed.flag("watch"), !entries.isEmpty {
      return try await WidgetWatch(invocation, stack, entries, wanted: wanted, interval: Double(interval)).run()
    }
    let presentation = WidgetPresentation(wanted: wanted, fitsScreen: false)
    let updates = await withTaskGroup(of: (Int, WidgetUpdate).self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask(executorPreference: invocation.loop) {
          (index, await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack))
        }
      }
      return await group.reduce(into: [(Int, WidgetUpdate)]()) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return try report(updates, to: invocation)
  }

  private static func chosen(_ invocation: Invocation, _ registry: ExtensionRegistry) throws -> [RegistryEntry] {
    let names = invocation.parsed.arguments("ID")
    if names.isEmpty { return registry.extensions(at: .today) }
    return try names.map { name in
      try registry.enabledExtension(name, at: .today)
    }
  }

  private static func report(_ updates: [WidgetUpdate], to invocation: Invocation) throws -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(.array(try updates.map { .object(try $0.document) }))
    } else {
      for (index, update) in updates.enumerated() {
        if index > 0 { invocation.console.print() }
        update.print(to: invocation)
      }
    }
    let failures = updates.compactMap(\.error)
    return failures.isEmpty ? .success : failures.count == 1 ? Failure(failures[0]).status : .failure
  }
}
