import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// `host list`: the apps and extensions, their points, versions and states.
enum ListCommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "list", summary: "List the containing apps and their extensions", example: "host list --point today",
    options: [
      .point("Show one extension point only"),
      .flag("permissions", "Show the permissions with their states, the entitlements and the app groups as well"),
      .flag("watch", "Keep running and print changes; with --json, one object a line"),
    ] + ListFilter.options, arguments: ListFilter.arguments
  ).alsoTried(as: "ls", "extensions", "installed")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let filter = try ListFilter(invocation)
    if invocation.parsed.flag("watch") { return try await ListWatch.run(invocation, filter: filter) }
    let (registry, announced) = try invocation.survey()
    for problem in announced.problems { invocation.console.warn("\(problem)") }
    let authority = PermissionAuthority(state: try invocation.state(), log: ConsoleLog(invocation.console))
    let entries = filter.entries(of: registry)
    let health = (try? invocation.state()).map { HealthStore($0, log: ConsoleLog(invocation.console)) }
    let quarantined = quarantined(entries, health)
    if invocation.wantsJSON {
      invocation.printJSON(
        .array(
          try entries.map { try document($0, states(of: $0, in: registry, authority), quarantined[$0.identifier]) }))
      return .success
    }
    if entries.isEmpty {
      invocation.console.note(
        "There is nothing to list. Add a bundle with “host add BUNDLE”, or a folder of manifests with --manifests DIR.")
      return .success
    }
    try print(
      entries, of: registry, quarantined, permissions: invocation.parsed.flag("permissions") ? authority : nil,
      to: invocation.console)
    return .success
  }

  /// Why extensions that could be used are disabled, by identifier.
  private static func quarantined(_ entries: [RegistryEntry], _ store: HealthStore?) -> [String: String] {
    guard let store else { return [:] }
    var reasons: [String: String] = [:]
    for entry in entries where entry.isEnabled {
      reasons[entry.identifier] =
        store.record(of: entry.identifier)
        .quarantine(ofExecutable: entry.executablePath)?.reason
    }
    return reasons
  }

  private static func print(
    _ entries: [RegistryEntry], of registry: ExtensionRegistry, _ quarantined: [String: String],
    permissions authority: PermissionAuthority?,
    to console: Console
  ) throws {
    var columns: [TextTable.Column] = [.init(""), .init("IDENTIFIER"), .init("NAME"), .init("POINT")]
    columns += [.init("VERSION"), .init("STATE"), .init("SIGNED BY")]
    if authority != nil { columns.append(.init("PERMISSIONS")) }
    var table = TextTable(columns)
    for entry in ordered(entries) {
      var cells: [TextTable.Cell] = [
        .init(String(entry.tag)), .init(entry.isApp ? entry.identifier : "  \(entry.identifier)"),
        .init(entry.displayName), .init(entry.point.map(registry.points.shortName) ?? "-"),
        .init(entry.manifest?.shortVersion ?? entry.manifest?.version.text ?? "-"),
        .init(
          quarantined[entry.identifier] == nil ? entry.state.name : "quarantined",
          entry.isEnabled && quarantined[entry.identifier] == nil ? .green : .red),
        .init(entry.origin),
      ]
      if let authority {
        let states = try states(of: entry, in: registry, authority)
        let words = states.map { $0.state == .granted ? $0.name : "\($0.name) (\($0.state))" }
        cells.append(.init(words.joined(separator: ", ")))
      }
      table.add(cells)
    }
    console.print(table)
    for entry in entries { explain(entry, to: console) }
    for (id, reason) in quarantined.sorted(by: { $0.key < $1.key }) {
      console.note("\(id): \(reason) See \"host why \(id)\".")
    }
  }

  /// Why an entry cannot be used, or what in its manifest deserves a look, with what to do about it.
  private static func explain(_ entry: RegistryEntry, to console: Console) {
    let faults = entry.faults
    // A key that is the fault is not warned about again.
    let problems = faults + entry.ownWarnings.filter { warning in !faults.contains { $0.keyPath == warning.keyPath } }
    if faults.isEmpty {
      for reason in entry.advisedReasons { console.note("\(entry.identifier): \(reason)") }
    }
    for problem in problems {
      console.note("\(entry.identifier): \(problem.description)")
      console.note("  help: \(problem.advisedRecovery)")
    }
  }

  /// Each app, then its extensions.
  private static func ordered(_ entries: [RegistryEntry]) -> [RegistryEntry] {
    func rank(_ entry: RegistryEntry) -> (String, Int, String) {
      (entry.containingApp ?? entry.identifier, entry.isApp ? 0 : 1, entry.identifier)
    }
    return entries.sorted { rank($0) < rank($1) }
  }

  /// What the manifest names, with what holds: entitlements and the app's own groups are the manifest's alone to decide.
  private static func states(
    of entry: RegistryEntry, in registry: ExtensionRegistry, _ authority: PermissionAuthority
  ) throws -> [(name: String, state: PermissionState)] {
    guard let manifest = entry.manifest else { return [] }
    let asked = try authority.asked(by: entry, in: registry)
      .map { ($0, authority.state(of: $0, for: entry.identifier)) }
    let plain = (manifest.entitlements + manifest.appGroups).filter { name in !asked.contains { $0.0.name == name } }
    let groups = asked.first { $0.0.name == PermissionKind.groups.name }
    return asked.map { ($0.name, $1) }
      + plain.map { name in (name, groups.flatMap { $0.0.scope.contains(name) ? $0.1 : nil } ?? .granted) }
  }

  private static func document(
    _ entry: RegistryEntry, _ states: [(name: String, state: PermissionState)], _ quarantine: String?
  ) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["name"] = .string(entry.displayName)
    object["version"] = (entry.manifest?.shortVersion ?? entry.manifest?.version.text).map { .string($0) } ?? .null
    object["point"] = entry.point.map { .string($0.rawValue) } ?? .null
    object["team"] =
      entry.signature.map { ["name": .string($0.name), "fingerprint": .string($0.team)] } ?? .null
    object["app"] = entry.containingApp.map { .string($0) } ?? .null
    object["tag"] = .string(String(entry.tag))
    object["state"] = .string(quarantine == nil ? entry.state.name : "quarantined")
    object["reasons"] = .array((entry.advisedReasons + [quarantine].compactMap(\.self)).map { .string($0) })
    object["problems"] = ManifestProblemList.document(entry.problems)
    var permissions = JSONObject()
    for (name, state) in states { permissions[name] = .string(state.rawValue) }
    object["permissions"] = .object(permissions)
    return .object(object)
  }
}
