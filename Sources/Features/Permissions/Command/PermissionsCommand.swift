import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host permissions`: what extensions ask for and what the user has decided.
enum PermissionsCommand: HostSubcommand {
  static let section = CommandSection.register

  private static let actions = ["grant", "deny", "reset"]

  static let command = Command(
    "permissions", summary: "Show the permissions that extensions ask for, and grant or deny them",
    discussion: "The decision is written after the extension; before it, as in “grant ID NAME”, it is understood too.",
    example: "host permissions com.example.adventures.headlines grant network",
    arguments: [
      CommandArgument("ID", "The extension; all of them when absent", .optional, values: .identifier),
      CommandArgument("ACTION", "What to do: grant, deny or reset", .optional, values: .suggestions(actions)),
      CommandArgument(
        "NAME", "The permission; reset without a name forgets all decisions", .optional,
        values: .suggestions(PermissionKind.all.map(\.name))),
    ]
  ).alsoTried(as: "grant", "allow", "deny", "permission")

  /// A permission of an extension, as the tables show it.
  private struct Row {
    var id: String
    var asked: AskedPermission
    var state: PermissionState
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let registry = try invocation.registry()
    let authority = PermissionAuthority(state: try invocation.state(), log: ConsoleLog(invocation.console))
    var (first, second) = (invocation.parsed.argument("ID"), invocation.parsed.argument("ACTION"))
    // No identifier is one of these words, as it has a full stop.
    if let word = first, actions.contains(word) { (first, second) = (second, word) }
    guard let id = first else {
      if let second {
        throw CommandLineError(
          "“host permissions \(second)” needs the identifier of an extension.",
          help: "Run “host permissions” to see them, then “host permissions ID \(second) NAME”.")
      }
      let entries = registry.entries.filter { $0.manifest != nil && registry.entry($0.identifier) == $0 }
      show(try entries.flatMap { try rows(of: $0, registry, authority) }, to: invocation)
      return .success
    }
    guard let action = second else {
      show(try rows(of: entry(id, registry), registry, authority), to: invocation)
      return .success
    }
    guard actions.contains(action) else {
      throw CommandLineError(
        "“\(action.escapedForTerminal)” is not a value for ACTION.",
        help: didYouMean(nearMisses(of: action, in: actions)) ?? "It takes one of: \(actions.joined(separator: ", ")).")
    }
    let name = invocation.parsed.argument("NAME")
    if action == "reset" {
      try await reset(id, name, registry, authority)
    } else {
      guard let name else {
        throw CommandLineError(
          "“host permissions \(id.escapedForTerminal) \(action)” needs the name of a permission.",
          help: "The permissions are: \(PermissionKind.all.map(\.name).joined(separator: ", ")).")
      }
      let entry = try entry(id, registry)
      let asked = try asked(name, by: entry, registry, authority)
      try await authority.decide(asked, action == "grant" ? .granted : .denied, for: id)
    }
    if let entry = registry.entry(id) { show(try rows(of: entry, registry, authority), to: invocation) }
    return .success
  }

  private static func reset(
    _ id: String, _ name: String?, _ registry: ExtensionRegistry, _ authority: PermissionAuthority
  ) async throws {
    let decided = authority.decided(for: id)
    // A decision outlives its extension, and can be forgotten all the same.
    if decided.isEmpty { _ = try entry(id, registry) }
    if let name {
      if let entry = registry.entry(id), !decided.contains(name) {
        _ = try asked(name, by: entry, registry, authority)
      }
      try await authority.decide(AskedPermission(name), .undecided, for: id)
    } else {
      for name in decided { try await authority.decide(AskedPermission(name), .undecided, for: id) }
    }
  }

  /// - Throws: `extensionUnknown` with near misses, `extensionInvalid` with the problems of the manifest.
  private static func entry(_ id: String, _ registry: ExtensionRegistry) throws -> RegistryEntry {
    if let entry = registry.entry(id), entry.manifest != nil { return entry }
    return try registry.enabledExtension(id)
  }

  /// - Throws: a usage error for a name that no permission has, `permissionDenied` when the manifest does not ask for it.
  private static func asked(
    _ name: String, by entry: RegistryEntry, _ registry: ExtensionRegistry, _ authority: PermissionAuthority
  ) throws -> AskedPermission {
    let names = PermissionKind.all.map(\.name)
    guard let kind = PermissionKind.named(name) else {
      throw CommandLineError(
        "There is no permission “\(name.escapedForTerminal)”.",
        help: didYouMean(nearMisses(of: name, in: names)) ?? "The permissions are: \(names.joined(separator: ", ")).")
    }
    if let asked = try authority.asked(by: entry, in: registry).first(where: { $0.name == name }) { return asked }
    throw ExtensionError(
      .permissionDenied, "\(entry.identifier) does not ask for the permission “\(name)”.",
      recovery: "Its author asks for it with the key \(kind.manifestKey) in the manifest.",
      details: ["permission": .string(name)])
  }

  private static func rows(
    of entry: RegistryEntry, _ registry: ExtensionRegistry, _ authority: PermissionAuthority
  ) throws -> [Row] {
    let asked = try authority.asked(by: entry, in: registry)
    return asked.map { Row(id: entry.identifier, asked: $0, state: authority.state(of: $0, for: entry.identifier)) }
  }

  private static func show(_ rows: [Row], to invocation: Invocation) {
    if invocation.wantsJSON { return invocation.printJSON(.array(rows.map(document))) }
    guard !rows.isEmpty else { return invocation.console.note("Nothing is asked for.") }
    var table = TextTable([.init("IDENTIFIER"), .init("PERMISSION"), .init("STATE"), .init("FOR")])
    for row in rows {
      let scope = row.asked.scope.joined(separator: ", ")
      let allows = PermissionKind.named(row.asked.name)?.allows ?? ""
      table.add([
        .init(row.id), .init(row.asked.name), .init(row.state.rawValue, row.state.style),
        .init(scope.isEmpty ? allows : scope),
      ])
    }
    invocation.console.print(table)
  }

  /// `{id, permission, state, scope[], allows}`
  private static func document(_ row: Row) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(row.id)
    object["permission"] = .string(row.asked.name)
    object["state"] = .string(row.state.rawValue)
    object["scope"] = .array(row.asked.scope.map { .string($0) })
    object["allows"] = .string(PermissionKind.named(row.asked.name)?.allows ?? "")
    return .object(object)
  }
}

extension PermissionState {
  /// The style of the state in tables.
  var style: TextStyle {
    switch self {
    case .granted: .green
    case .denied: .red
    case .undecided: .yellow
    }
  }
}
