import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import JSONRPC

/// `host list`: the apps and extensions, their points, versions and states.
enum ListCommand: HostSubcommand {
  static let command = Command(
    "list", summary: "List the containing apps and their extensions", example: "host list --point today",
    options: [
      .point("Show one extension point only"),
      .flag("permissions", "Show the entitlements and app groups as well"),
      .flag("watch", "Go on and print what changes; with --json, one object a line"),
    ] + ListFilter.options, arguments: ListFilter.arguments)

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let filter = try ListFilter(invocation)
    if invocation.parsed.flag("watch") { return try await ListWatch.run(invocation, filter: filter) }
    let registry = try invocation.registry()
    let entries = filter.entries(of: registry)
    if invocation.wantsJSON {
      invocation.printJSON(.array(entries.map(document)))
      return .success
    }
    if entries.isEmpty {
      invocation.console.note(
        "There is nothing to list. Add a bundle with “host add BUNDLE”, or a folder of manifests with --manifests DIR.")
      return .success
    }
    print(entries, of: registry, permissions: invocation.parsed.flag("permissions"), to: invocation.console)
    return .success
  }

  private static func print(
    _ entries: [RegistryEntry], of registry: ExtensionRegistry, permissions: Bool, to console: Console
  ) {
    var columns: [TextTable.Column] = [.init(""), .init("IDENTIFIER"), .init("NAME"), .init("POINT")]
    columns += [.init("VERSION"), .init("STATE")]
    if permissions { columns.append(.init("PERMISSIONS")) }
    var table = TextTable(columns)
    for entry in ordered(entries) {
      var cells: [TextTable.Cell] = [
        .init(String(entry.tag)), .init(entry.isApp ? entry.identifier : "  \(entry.identifier)"),
        .init(entry.displayName), .init(entry.point?.shortName ?? "-"),
        .init(entry.manifest?.shortVersion ?? entry.manifest?.version.text ?? "-"),
        .init(entry.state.name, entry.isEnabled ? .green : .red),
      ]
      if permissions { cells.append(.init(permissionNames(of: entry).joined(separator: ", "))) }
      table.add(cells)
    }
    console.print(table)
    for entry in entries where !entry.isEnabled {
      for reason in entry.reasons { console.note("\(entry.identifier): \(reason)".escapedForTerminal) }
    }
  }

  /// Each app, then its extensions.
  private static func ordered(_ entries: [RegistryEntry]) -> [RegistryEntry] {
    func rank(_ entry: RegistryEntry) -> (String, Int, String) {
      (entry.containingApp ?? entry.identifier, entry.isApp ? 0 : 1, entry.identifier)
    }
    return entries.sorted { rank($0) < rank($1) }
  }

  private static func permissionNames(of entry: RegistryEntry) -> [String] {
    (entry.manifest?.entitlements ?? []) + (entry.manifest?.appGroups ?? [])
  }

  private static func document(_ entry: RegistryEntry) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["name"] = .string(entry.displayName)
    object["version"] = (entry.manifest?.shortVersion ?? entry.manifest?.version.text).map { .string($0) } ?? .null
    object["point"] = entry.point.map { .string($0.rawValue) } ?? .null
    object["app"] = entry.containingApp.map { .string($0) } ?? .null
    object["tag"] = .string(String(entry.tag))
    object["state"] = .string(entry.state.name)
    object["reasons"] = .array(entry.reasons.map { .string($0) })
    var permissions = JSONObject()
    for name in permissionNames(of: entry) { permissions[name] = .string("granted") }
    object["permissions"] = .object(permissions)
    return .object(object)
  }
}
