import BundleInstalling
import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host update`: newer versions of what is installed, by the same teams.
enum UpdateCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "update", summary: "Install newer versions of bundles from the indexes",
    discussion: """
      Only signed bundles are updated, only by the team that signed them, and no version falls. A version that asks for \
      more shows what, and waits until you agree. Each extension of a new version is started once; when one does not \
      start, the version of before is used again. Keys and versions that a team has revoked are disabled.
      """,
    example: "host update --check",
    options: [
      .flag("check", "Show what is newer, and install nothing"), IndexAccess.from, IndexAccess.root,
      IndexAccess.trustOption, IndexAccess.minimumAge,
    ] + BundleConsent.options,
    arguments: [
      CommandArgument(
        "NAME", "The identifier of an app or a lone extension; else all that are installed", .optional,
        values: .identifier)
    ]
  ).alsoTried(as: "upgrade")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let name = invocation.parsed.argument("NAME")
    if let name, try invocation.record().bundles.allSatisfy({ $0.identifier != name || $0.signature == nil }) {
      throw ExtensionError(
        .extensionUnknown, "No signed bundle “\(name)” is installed, and only signed ones are updated.",
        recovery: "Run “host trust list” to see which are.")
    }
    let age = try IndexAccess.seconds(invocation)
    var status = ExitStatus.success
    var newest: [String: (update: ExtensionIndex.Update, index: ExtensionIndex)] = [:]
    for index in try await IndexAccess.indexes(invocation) {
      do {
        for update in try await index.updates(of: name, minimumAge: age) {
          let known = newest[update.offer.identifier]?.update.offer.version
          if known.map({ BundleVersion($0) < BundleVersion(update.offer.version) }) ?? true {
            newest[update.offer.identifier] = (update, index)
          }
        }
      } catch {
        // One index that does not answer is no reason not to ask the others.
        guard invocation.parsed.value("from") == nil else { throw error }
        status = .failure
        invocation.console.warn("\(error.message)")
      }
    }
    var documents: [JSONValue] = []
    for (_, found) in newest.sorted(by: { $0.key < $1.key }) {
      let (document, isDone) = try await handle(found.update, found.index, age, invocation)
      documents.append(document)
      if !isDone { status = .failure }
    }
    if invocation.wantsJSON {
      invocation.printJSON(["updates": .array(documents)])
    } else if documents.isEmpty, status == .success {
      invocation.console.note("Nothing is newer.")
    }
    return status
  }

  private static func handle(
    _ update: ExtensionIndex.Update, _ index: ExtensionIndex, _ age: Int64, _ invocation: Invocation
  ) async throws -> (document: JSONValue, isDone: Bool) {
    var object = SearchCommand.document(update.offer).objectValue ?? [:]
    object["installed"] = .string(update.installed)
    guard !invocation.parsed.flag("check") else {
      object["state"] = "available"
      if !invocation.wantsJSON {
        invocation.console.print("\(update.offer.identifier) \(update.installed) → \(update.offer.version)")
      }
      return (.object(object), true)
    }
    do {
      var choice = ExtensionIndex.Choice(version: update.offer.version)
      choice.minimumAge = age
      let installed = try await IndexAccess.install(update.offer.identifier, choice, from: index, invocation)
      object["state"] = "updated"
      if !invocation.wantsJSON { IndexAccess.say(installed, invocation.console) }
      return (.object(object), true)
    } catch let error as ExtensionError {
      object["state"] = error.details["rolledBack"] == .bool(true) ? "rolledBack" : "refused"
      object["error"] = .string(error.message)
      if !invocation.wantsJSON {
        invocation.console.fail("\(error.message)", help: error.recovery.map { "\($0)" })
      }
      return (.object(object), false)
    }
  }
}
