package import BundleInstalling
import BundleSeals
import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSON

/// Which indexes a command asks, and the user's agreement to a new one.
package enum IndexAccess {
  static let from = CommandOption.value(
    "from", "URL", "The address of an index; else the indexes that are trusted")
  static let root = CommandOption.value(
    "root", "FINGERPRINT", "Trust a new index whose root has this fingerprint, without a question")
  static let minimumAge = CommandOption.value(
    "minimum-age", "TIME", "Take no version that was published later than this ago: 3d, 12h, 30m")

  /// Where the bundles of the command line's state directory are.
  package static func store(_ invocation: Invocation) throws -> BundleStore {
    BundleStore(state: try invocation.state(), points: try invocation.points())
  }

  /// The index that the command line names, or all that are trusted.
  ///
  /// - Throws: `CommandLineError` when there is none; `permissionDenied` when the user does not agree to a new one.
  static func indexes(_ invocation: Invocation) async throws -> [ExtensionIndex] {
    let store = try store(invocation)
    guard let url = invocation.parsed.value("from") else {
      let trusted = ExtensionIndex.trusted(store)
      guard !trusted.isEmpty else {
        throw CommandLineError("No index is trusted yet.", help: "Name one with --from URL.")
      }
      return trusted
    }
    let index = try ExtensionIndex(url, store: store)
    try await trust(index, invocation)
    return [index]
  }

  private static func trust(_ index: ExtensionIndex, _ invocation: Invocation) async throws {
    let given = invocation.parsed.value("root")?.lowercased().filter { $0 != " " }
    try await index.trust { root in
      if let given {
        guard given == root.fingerprint else {
          throw ExtensionError(
            .permissionDenied, "The root of \(index.url) has the fingerprint \(root.shown), and not the given one.",
            recovery: "Ask who publishes the index which one is right.")
        }
        return true
      }
      return try await BundleConsent.agrees(
        "The index \(index.url) is new here. Its root has the fingerprint \(root.shown). "
          + "Compare it with the one that its publisher names; “host publish” prints it there.",
        option: "trust", invocation)
    }
  }

  static let trustOption = CommandOption.flag("trust", "Trust a new index, whatever the fingerprint of its root")

  /// Seconds from a text such as `3d`.
  static func seconds(_ invocation: Invocation) throws(CommandLineError) -> Int64 {
    guard let text = invocation.parsed.value("minimum-age") else { return 0 }
    let units: [Character: Int64] = ["d": 86_400, "h": 3_600, "m": 60]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), (0...36_500).contains(count)
    else {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” is no length of time.", help: "Write days, hours or minutes: 3d, 12h, 30m.")
    }
    return count * unit
  }

  /// `NAME` or `NAME@VERSION`.
  ///
  /// - Throws: `CommandLineError` for an empty name.
  static func named(_ text: String) throws(CommandLineError) -> (identifier: String, version: String?) {
    let name = text.prefix { $0 != "@" }
    guard !name.isEmpty else {
      throw CommandLineError("“\(text.escapedForTerminal)” names no bundle.", help: "Write NAME or NAME@VERSION.")
    }
    let version = text.dropFirst(name.count + 1)
    return (String(name), version.isEmpty ? nil : String(version))
  }

  /// Installs a version, with a bar, and has its extensions tried when they take the place of others.
  static func install(
    _ identifier: String, _ choice: ExtensionIndex.Choice, from index: ExtensionIndex, _ invocation: Invocation
  ) async throws -> BundleStore.Installed {
    let shown = ShownProgress("\(identifier)", invocation)
    defer { shown.finish() }
    return try await install(identifier, choice, from: index, invocation) { received, total in
      shown.show(CallProgress(Double(received), total: Double(total)))
    } deciding: { question in
      shown.finish()
      let option = if case .otherTeam = question { "other-team" } else { "approve" }
      return try await BundleConsent.agrees(question.sentence, option: option, invocation)
    }
  }

  /// Installs a version, and has its extensions tried when they take the place of others.
  ///
  /// - Throws: as `ExtensionIndex.install`.
  package static func install(
    _ identifier: String, _ choice: ExtensionIndex.Choice, from index: ExtensionIndex, _ invocation: Invocation,
    progress: @escaping ExtensionIndex.DownloadProgress, deciding decision: BundleStore.Decision
  ) async throws -> BundleStore.Installed {
    var choice = choice
    choice.trial = { installed in
      if installed.replaced != nil { try await start(installed, invocation) }
    }
    let installed = try await index.install(identifier, choice, progress: progress, deciding: decision)
    try await claimGroups(of: installed, invocation)
    return installed
  }

  /// Starts each extension of a bundle once, and ends it again.
  private static func start(_ installed: BundleStore.Installed, _ invocation: Invocation) async throws {
    let stack = try HostStack(invocation)
    for entry in stack.registry.entries where entry.manifestPath.isBelow(installed.path) && !entry.isApp {
      guard entry.state == .enabled else { continue }
      try await stack.withExtension(entry) { _ in }
    }
  }

  /// Whose its groups are is settled by who is installed first, not by who is started first.
  private static func claimGroups(of installed: BundleStore.Installed, _ invocation: Invocation) async throws {
    let registry = try invocation.registry()
    let authority = PermissionAuthority(state: try invocation.state(), log: ConsoleLog(invocation.console))
    for entry in registry.entries where entry.manifestPath.isBelow(installed.path) {
      try await authority.claimGroups(of: entry, in: registry)
    }
  }

  static func document(_ installed: BundleStore.Installed, _ index: String) -> JSONObject {
    var object = JSONObject()
    object["id"] = .string(installed.identifier)
    object["version"] = .string(installed.version)
    object["replaced"] = installed.replaced.map { .string($0) } ?? .null
    object["bundle"] = .string(installed.path)
    object["team"] = ["name": .string(installed.team.name), "fingerprint": .string(installed.team.team)]
    object["index"] = .string(index)
    object["problems"] = .array(installed.problems.map { .string($0.description) })
    return object
  }

  static func say(_ installed: BundleStore.Installed, _ console: Console) {
    let before = installed.replaced.flatMap { $0 == installed.version ? nil : $0 }
    console.print("+ \(installed.identifier) \(installed.version)\(before.map { " in place of \($0)" } ?? "")")
    for problem in installed.problems { console.warn("\(problem)") }
    console.note("Signed by \(installed.team.shown).")
  }
}
