import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSON

/// `host add`: registers an unsigned bundle where it lies, and a verified copy of a signed one.
enum AddCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "add", summary: "Register a bundle with its extensions",
    discussion: """
      The bundle is checked as by host verify. A signed one is compared with its seal and copied into the state \
      folder, where only the host writes; its identifier belongs to its team from then on. An unsigned one is used in \
      its place, and nothing is copied. Adding a bundle approves what its extensions ask for. A later version that \
      asks for more waits until you agree.
      """,
    example: "host add Notes.app", options: BundleConsent.options,
    arguments: [CommandArgument("BUNDLE", "A folder that ends in .app or .appex", values: .directory)]
  ).alsoTried(as: "register")

  static func needsLibraries(_ invocation: Invocation) -> Bool {
    SealPlace.needsLibraries(invocation.parsed.argument("BUNDLE") ?? "", invocation)
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let path = invocation.parsed.argument("BUNDLE") ?? ""
    if SealPlace.isSealed(path) {
      let added = try await invocation.signedBundles().add(path, invocation)
      return try await report(added.path, added.problems, invocation)
    }
    let found = try await invocation.verification(of: path)
    guard found.isAcceptable else { throw refusal(of: found) }
    if let identifier = found.entries.first?.identifier, try invocation.record().teams[identifier] != nil {
      try await invocation.signedBundles().release(identifier, invocation)
    }
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      try record.add(bundle: found.path, identifier: found.entries.first?.identifier)
      for entry in found.entries where record.approvals[entry.identifier] == nil {
        record.approve(entry.capabilities, for: entry.identifier)
      }
    }
    return try await report(found.path, found.problems, invocation)
  }

  /// Says what was added.
  private static func report(
    _ path: String, _ problems: [ManifestProblem], _ invocation: Invocation
  ) async throws -> ExitStatus {
    let registry = try invocation.registry()
    let entries = registry.entries.filter { $0.manifestPath.isBelow(path) }
    let authority = PermissionAuthority(state: try invocation.state(), log: ConsoleLog(invocation.console))
    // Whose its groups are is settled by who is added first, not by who is started first.
    for entry in entries { try await authority.claimGroups(of: entry, in: registry) }
    if invocation.wantsJSON {
      var object = JSONObject()
      object["bundle"] = .string(path)
      object["added"] = .array(entries.map(RegistryState.document))
      object["problems"] = ManifestProblemList.document(problems)
      object["origin"] = .string(entries.first?.origin ?? "")
      invocation.printJSON(.object(object))
    } else {
      for problem in problems { invocation.console.warn("\(problem) \(problem.advisedRecovery)") }
      RegistryState.print(entries, to: invocation.console)
      if let signature = entries.first?.signature { invocation.console.note("Signed by \(signature.shown).") }
      for entry in entries { try note(entry, registry, authority, invocation.console) }
    }
    return .success
  }

  /// Says which of its app groups are another app's.
  private static func note(
    _ entry: RegistryEntry, _ registry: ExtensionRegistry, _ authority: PermissionAuthority, _ console: Console
  ) throws {
    let name = PermissionKind.groups.name
    guard let asked = try authority.asked(by: entry, in: registry).first(where: { $0.name == name }) else { return }
    let id = entry.identifier
    let groups = asked.scope.joined(separator: ", ")
    console.note("\(id) does not get \(groups), of another app, before you run “host permissions \(id) grant \(name)”.")
  }

  private static func refusal(of found: BundleVerification) -> ExtensionError {
    let errors = found.problems.filter { $0.severity == .error }
    return ExtensionError(
      .extensionInvalid, "\(found.path) was not added: it has \(errors.count) error\(errors.count == 1 ? "" : "s").",
      recovery: "Run “host verify \(found.path)” for advice, correct the bundle, and add it again.",
      details: ["problems": ManifestProblemList.document(found.problems)], cause: errors.map(\.description))
  }
}
