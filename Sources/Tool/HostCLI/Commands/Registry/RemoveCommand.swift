import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host remove`: forgets a bundle. Its files stay; a copy of the host's own for a day at least.
enum RemoveCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "remove", summary: "Remove a bundle from the registry; its files stay", example: "host remove org.example.notes",
    arguments: [
      CommandArgument("ID", "The identifier of an app or a lone extension, or the bundle's path", values: .identifier)
    ]
  ).alsoTried(as: "uninstall", "unregister", "rm", "delete")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let name = invocation.parsed.argument("ID") ?? ""
    let registry = try invocation.registry()
    let removed = try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      let paths = Self.paths(of: name, in: record, registry)
      guard !paths.isEmpty else { throw Self.unknown(name, record, registry) }
      RegistryFile.remove(paths, from: &record, known: registry)
      return paths
    }
    let state = try invocation.state()
    for path in removed { StoredBundle.leave(path, in: state) }
    if invocation.wantsJSON {
      var object = JSONObject()
      object["removed"] = .array(removed.map { .string($0) })
      invocation.printJSON(.object(object))
    } else {
      for path in removed { invocation.console.print("- \(path)") }
    }
    return .success
  }

  /// The added bundles that a name means: every one with the identifier, or the one at the path.
  private static func paths(of name: String, in record: RegistryRecord, _ registry: ExtensionRegistry) -> [String] {
    let resolved = record.bundles.map(\.path).first { $0 == name || $0 == RegistryRecord.resolved(name) }
    if let resolved, name.contains("/") || name.hasSuffix(".app") || name.hasSuffix(".appex") { return [resolved] }
    return record.bundles.filter { bundle in
      bundle.identifier == name
        || registry.entries.contains { $0.identifier == name && $0.bundlePath == bundle.path }
    }.map(\.path)
  }

  private static func unknown(
    _ name: String, _ record: RegistryRecord, _ registry: ExtensionRegistry
  ) -> ExtensionError {
    let inner = registry.entries.first { $0.identifier == name && !$0.isApp && $0.bundlePath != nil }
    if let app = inner?.containingApp {
      return ExtensionError(
        .extensionInvalid, "\(name) is part of \(app) and cannot be removed by itself.",
        recovery: "Run “host remove \(app)”, or “host elect \(name) ignore”.")
    }
    if registry.entries.contains(where: { $0.identifier == name }) {
      return ExtensionError(
        .extensionInvalid, "\(name) was not added; it comes from a folder of manifests.",
        recovery: "Run “host elect \(name) ignore”, or take its manifest out of the folder.")
    }
    let misses = nearMisses(of: name, in: record.bundles.map(\.identifier))
    return ExtensionError(
      .extensionUnknown, "No bundle called “\(name)” was added.",
      recovery: didYouMean(misses) ?? "Run “host list” to see what there is.")
  }
}
