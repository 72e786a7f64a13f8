import BundleInstalling
import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host trust`: the teams that identifiers belong to, the indexes that are trusted, and what teams took back.
enum TrustCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "trust", summary: "Show and change which teams and indexes are trusted",
    discussion: """
      The first signed bundle that is added under an identifier makes it its team's: containers, app groups and \
      permissions under that name are the team's from then on. A bundle of another team is another app. An index is \
      trusted by the fingerprint of its root from its first use on.
      """,
    example: "host trust list",
    subcommands: [
      Command("list", summary: "List the teams, the indexes, and what was revoked", example: "host trust list")
        .alsoTried(as: "ls", "show"),
      Command(
        "add", summary: "Learn a statement of a team: a revocation, or its new root key",
        example: "host trust add revocation-3f2a90c177de04b6.statement",
        arguments: [CommandArgument("FILE", "A file that “host key” wrote", values: .file)]),
      Command(
        "remove", summary: "Leave an identifier to the next team, its data put aside; or trust an index no more",
        example: "host trust remove com.example.notes",
        arguments: [
          CommandArgument(
            "ID", "The identifier of an app or a lone extension, or the URL of an index", values: .identifier)
        ]
      ).alsoTried(as: "forget", "rm"),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    let store = BundleStore(state: try invocation.state())
    switch invocation.parsed.path[1] {
    case "add": return try await learn(invocation, store)
    case "remove": return try await forget(invocation, store)
    default: return try list(invocation, store)
    }
  }

  private static func list(_ invocation: Invocation, _ store: BundleStore) throws -> ExitStatus {
    let record = try invocation.record()
    let indexes = ExtensionIndex.trusted(store)
    let teams = record.teams.filter { !$0.value.team.isEmpty }.sorted { $0.key < $1.key }
    if invocation.wantsJSON {
      invocation.printJSON([
        "apps": .array(
          teams.map { ["id": .string($0.key), "name": .string($0.value.name), "team": .string($0.value.team)] }),
        "indexes": .array(
          indexes.map { ["url": .string($0.url), "root": .string($0.root?.fingerprint ?? "")] }),
        "revoked": .array(
          record.revoked.sorted { $0.key < $1.key }.map { key, reason in
            let parts = key.split(separator: " ").map(String.init)
            return [
              "team": .string(parts.first ?? ""), "revoked": .string(parts.last ?? ""), "reason": .string(reason),
            ]
          }),
      ])
      return .success
    }
    if teams.isEmpty, record.revoked.isEmpty, indexes.isEmpty {
      invocation.console.note("No app belongs to a team yet. “host add” takes signed bundles.")
    }
    if !teams.isEmpty {
      var table = TextTable([.init("IDENTIFIER"), .init("TEAM")])
      for (identifier, team) in teams { table.add([.init(identifier), .init(team.shown)]) }
      invocation.console.print(table)
    }
    for index in indexes {
      invocation.console.print("index \(index.url), root \(KeyFingerprint.short(index.root?.fingerprint ?? ""))")
    }
    for (key, reason) in record.revoked.sorted(by: { $0.key < $1.key }) {
      let fingerprint = KeyFingerprint.short(key.split(separator: " ").last.map(String.init) ?? "")
      invocation.console.print("revoked \(fingerprint): \(reason)")
    }
    return .success
  }

  private static func learn(_ invocation: Invocation, _ store: BundleStore) async throws -> ExitStatus {
    let file = invocation.parsed.argument("FILE") ?? ""
    let learned = try await store.learn(try InputFile.read(file, limit: 16 << 10))
    switch learned {
    case .revocation(let revoked, let team, let reason):
      if invocation.wantsJSON {
        invocation.printJSON(["revoked": .string(revoked), "team": .string(team), "reason": .string(reason)])
      } else {
        invocation.console.print("revoked \(KeyFingerprint.short(revoked)): \(reason)")
      }
    case .rotation(let old, let new, let identifiers):
      if invocation.wantsJSON {
        invocation.printJSON([
          "from": .string(old), "to": .string(new), "ids": .array(identifiers.map { .string($0) }),
        ])
      } else {
        invocation.console.print("team \(KeyFingerprint.short(old)) is \(KeyFingerprint.short(new)) now")
        for identifier in identifiers { invocation.console.print("  \(identifier)") }
      }
    }
    return .success
  }

  private static func forget(_ invocation: Invocation, _ store: BundleStore) async throws -> ExitStatus {
    let identifier = invocation.parsed.argument("ID") ?? ""
    if identifier.contains("://") { return try forget(ExtensionIndex(identifier, store: store), invocation) }
    guard let team = try await store.forgetTeam(of: identifier) else {
      throw ExtensionError(
        .extensionUnknown, "\(identifier) belongs to no team.", recovery: "Run “host trust list” to see which do.")
    }
    if invocation.wantsJSON {
      invocation.printJSON(["id": .string(identifier), "team": .string(team.team), "name": .string(team.name)])
    } else {
      invocation.console.print("- \(identifier) of \(team.shown)")
    }
    return .success
  }

  private static func forget(_ index: ExtensionIndex, _ invocation: Invocation) throws -> ExitStatus {
    guard try index.forget() else {
      throw ExtensionError(
        .extensionUnknown, "The index \(index.url) is not trusted.", recovery: "Run “host trust list” to see which are."
      )
    }
    if invocation.wantsJSON {
      invocation.printJSON(["index": .string(index.url)])
    } else {
      invocation.console.print("- index \(index.url)")
    }
    return .success
  }
}
