import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import PropertyList
import Text

/// Which entries of a registry a list shows.
struct ListFilter {
  private let point: ExtensionPoint?
  private let identifier: String?
  private let showsAllVersions: Bool
  private let showsDuplicatesOnly: Bool
  /// Keys of manifests with the values that they must have.
  private let attributes: [(key: String, value: String)]

  static let options: [CommandOption] = [
    .flag("all", short: "A", "Show every version, also those that another one is used in place of"),
    .flag("duplicates", short: "D", "Show only what is there more than once"),
    .value("id", short: "i", "ID", "Show one identifier only", values: .identifier),
  ]

  static let arguments = [
    CommandArgument("KEY=VALUE", "Show only extensions whose manifest has this value under NSExtension", .any)
  ]

  init(_ invocation: Invocation) throws(CommandLineError) {
    point = try invocation.point()
    identifier = invocation.parsed.value("id")
    showsDuplicatesOnly = invocation.parsed.flag("duplicates")
    showsAllVersions = invocation.parsed.flag("all") || showsDuplicatesOnly
    var attributes: [(key: String, value: String)] = []
    for word in invocation.parsed.arguments("KEY=VALUE") {
      guard let pair = word.cut(at: "="), !pair.before.isEmpty else {
        throw CommandLineError(
          "host list does not take “\(word.escapedForTerminal)”.",
          help: "Give KEY=VALUE, for example NSExtensionServiceRoleType=NSExtensionServiceRoleTypeEditor; "
            + "host list --help shows the options.")
      }
      attributes.append((String(pair.before), String(pair.behind)))
    }
    self.attributes = attributes
  }

  func entries(of registry: ExtensionRegistry) -> [RegistryEntry] {
    let counts = Dictionary(grouping: registry.entries, by: \.identifier).mapValues(\.count)
    return registry.entries.filter { entry in
      (point == nil || entry.point == point) && (identifier == nil || entry.identifier == identifier)
        && (showsAllVersions || entry.tag != "=")
        && (!showsDuplicatesOnly || counts[entry.identifier] ?? 0 > 1)
        && attributes.allSatisfy { Self.value(of: $0.key, in: entry) == $0.value }
    }
  }

  /// A value of the manifest as text: of its attributes, of `NSExtension`, else at the top.
  private static func value(of key: String, in entry: RegistryEntry) -> String? {
    guard let manifest = entry.manifest else { return nil }
    let top = manifest.raw
    let value = manifest.attributes[key] ?? top["NSExtension"]?.dictionaryValue?[key] ?? top[key]
    return value?.stringValue ?? value?.integerValue.map { "\($0)" } ?? value?.boolValue.map { $0 ? "true" : "false" }
  }
}
