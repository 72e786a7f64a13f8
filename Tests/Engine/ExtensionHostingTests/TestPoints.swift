import ExtensionHosting
import ExtensionProtocol
import PropertyList

/// Extension points of these tests: the module under test knows none.
extension ExtensionPoint {
  static let clock = ExtensionPoint(rawValue: "com.example.points.clock")
  static let sender = ExtensionPoint(rawValue: "com.example.points.sender")
}

extension ExtensionPointTable {
  static let testing = ExtensionPointTable([
    ExtensionPointDefinition(
      .clock, shortName: "clock", role: "a clock", plural: "the clocks", limits: ExtensionLimits(memoryMiB: 32),
      groups: .readOnlyWithoutOpenAccess, reuse: .reuse,
      manifest: ManifestRules(
        keys: [.file("Script", ending: ".js"), ManifestKey("Sender", .string), ManifestKey("Shows", .string)],
        checkNeighbours: { reader, neighbours in
          let attributes = PropertyListKeyPath("NSExtension", "NSExtensionAttributes")
          if let name = neighbours.manifest.attributes["Sender"]?.stringValue,
            !neighbours.siblings.contains(where: { $0.point == .sender && $0.identifier == name })
          {
            reader.fail(attributes.appending("Sender"), "The app has no sender \(name).", "Add it.")
          }
          if let type = neighbours.manifest.attributes["Shows"]?.stringValue, !neighbours.knowsType(type) {
            reader.warn(attributes.appending("Shows"), "Nobody declares \(type).", "Declare it.")
          }
        })),
    ExtensionPointDefinition(
      .sender, shortName: "sender", role: "a sender", plural: "the senders", limits: ExtensionLimits(memoryMiB: 64),
      takesItems: true, manifest: ManifestRules(keys: [.file("Script", ending: ".js")])),
  ])
}

extension ExtensionRegistry {
  init(_ sources: RegistrySources) { self.init(sources, points: .testing) }
}

extension BundleVerification {
  init(_ path: String) throws(ExtensionError) { try self.init(path, points: .testing) }
}

extension ManifestValidation {
  init(_ value: PropertyListValue) { self.init(value, points: .testing) }
}
