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
      .sender, shortName: "sender", role: "a sender", plural: "the senders", position: 2,
      limits: ExtensionLimits(memoryMiB: 64), reuse: .once, takesItems: true,
      access: [Allowlist.Row("time/*", nil, nil, permissions: ["network"], "A sender says where it takes the time.")],
      manifest: ManifestRules(keys: [
        .file("Script", ending: ".js"), .word("Manner", among: ["loud", "soft"], what: "manner"),
        ManifestKey("Both", .bool, in: [.section, .attributes]),
      ])),
    ExtensionPointDefinition(
      .clock, shortName: "clock", role: "a clock", plural: "the clocks", position: 1,
      limits: ExtensionLimits(memoryMiB: 32), groups: .readOnlyWithoutOpenAccess, reuse: .reuse,
      manifest: ManifestRules(
        keys: [
          .words("Hands", among: ["hour", "minute"], what: "hand"), .typeIdentifiers("Shows"), .language("Speaks"),
          ManifestKey("IsLoud", .bool), ManifestKey("Listens", .bool),
          ManifestKey("Both", .bool, in: [.section, .attributes]),
        ],
        permissions: { manifest in
          manifest.attributes["Listens"]?.boolValue == true ? [AskedPermission("open-access")] : []
        },
        check: { reader, manifest in
          guard manifest.attributes["IsLoud"]?.boolValue == true else { return }
          reader.warn(PropertyListKeyPath("NSExtension"), "A loud clock is a nuisance.", "Turn it down.")
        })),
  ])
}

extension ManifestValidation {
  init(_ value: PropertyListValue) { self.init(value, points: .testing) }
}
