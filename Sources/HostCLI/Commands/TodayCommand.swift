import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSONRPC

/// `host today`: brings Today widgets up to date and shows them.
enum TodayCommand: HostSubcommand {
  static let command = Command(
    "today", summary: "Show the Today widgets", example: "host today com.example.adventures.today --expanded",
    options: [
      .flag("refresh", "Ask for content again, whatever the cache holds"),
      .flag("expanded", "Show every row"), .config, .trace,
    ],
    arguments: [CommandArgument("ID", "The widgets to show; all when absent", .any)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    try await HostStack.recording(invocation, refreshing: invocation.parsed.flag("refresh")) { stack in
      try await run(invocation, on: stack)
    }
  }

  private static func run(_ invocation: Invocation, on stack: HostStack) async throws -> ExitStatus {
    let entries = try chosen(invocation, stack.registry)
    if entries.isEmpty { invocation.console.note("There is no Today widget. “host list” shows what there is.") }
    let displayMode: WidgetDisplayMode = invocation.parsed.flag("expanded") ? .expanded : .compact
    let updates = await withTaskGroup(of: (Int, WidgetUpdate).self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask(executorPreference: invocation.loop) {
          (index, await WidgetUpdate.run(entry, displayMode: displayMode, on: stack))
        }
      }
      return await group.reduce(into: [(Int, WidgetUpdate)]()) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return try report(updates, displayMode: displayMode, to: invocation)
  }

  private static func chosen(_ invocation: Invocation, _ registry: ExtensionRegistry) throws -> [RegistryEntry] {
    let names = invocation.parsed.arguments("ID")
    if names.isEmpty { return registry.extensions(at: .today) }
    return try names.map { name in
      let entry = try registry.enabledExtension(name)
      guard entry.point == .today else {
        throw ExtensionError(
          .pointDisallows, "\(name) is not a Today widget but for \(entry.point?.shortName ?? "no known point").",
          recovery: "Run \"host list --point today\" to see the widgets.")
      }
      return entry
    }
  }

  private static func report(
    _ updates: [WidgetUpdate], displayMode: WidgetDisplayMode, to invocation: Invocation
  ) throws -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(.array(try updates.map { try $0.document }))
    } else {
      for (index, update) in updates.enumerated() {
        if index > 0 { invocation.console.print() }
        update.print(to: invocation, displayMode: displayMode)
      }
    }
    let failures = updates.compactMap(\.error)
    return failures.isEmpty ? .success : failures.count == 1 ? Failure(failures[0]).status : .failure
  }
}
