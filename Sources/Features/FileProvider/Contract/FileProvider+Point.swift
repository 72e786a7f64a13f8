public import ExtensionProtocol
import PropertyList

extension ExtensionPoint {
  /// File Providers.
  public static let fileProvider = ExtensionPoint(rawValue: "com.apple.fileprovider-nonui")
}

extension FileProvider: PointContract {
  /// The refusal for other points. A picker may call these methods too, as its own contract says.
  static let rule = "Provider calls belong to File Providers and their Document Pickers."

  /// File Providers; Document Pickers by a row of their own point.
  public static let access = [Allowlist.Row("provider/*", [.fileProvider], nil, rule)]

  /// Providers keep what they know of their server from request to request, and run beside whatever the user works in.
  public static let definition =
    ExtensionPointDefinition(
      .fileProvider, shortName: "provider", role: "a file provider", plural: "the file providers", position: 70,
      calls: [
        .request(ItemForIdentifier.self, isOptional: true), .request(IdentifierForItem.self, isOptional: true),
        .request(ProvidePlaceholder.self), .request(StartProviding.self),
        .request(ItemChanged.self, isOptional: true), .request(StopProviding.self, isOptional: true),
      ], limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse,
      manifest: ManifestRules(
        keys: [
          ManifestKey(group, .string, in: .section) { reader, path, manifest in
            guard let name = reader.value(path)?.stringValue, !name.isEmpty, !manifest.appGroups.contains(name) else {
              return
            }
            reader.fail(
              path, "The extension is not entitled to the group “\(name)”.",
              "Add the group to Entitlements, under com.apple.security.application-groups.")
          }.described(
            "The app group in whose folder the documents lie. Without it they can be imported and exported only.",
            example: "group.com.example.notes"),
          ManifestKey("NSExtensionFileProviderSupportsEnumeration", .bool, in: .section)
            .described("Kept, without effect.", default: "false", example: true),
        ],
        check: { reader, _ in
          let path = PropertyListKeyPath("NSExtension", group)
          guard reader.value(path) == nil else { return }
          reader.warn(
            path, "Without a document group, documents can be imported and exported only.", "Name an app group.")
        }))
  /// This one point.
  public static let points = [definition]

  fileprivate static let group = "NSExtensionFileProviderDocumentGroup"
}

extension Manifest {
  /// `NSExtensionFileProviderDocumentGroup`: the app group in whose container the documents lie.
  public var fileProviderDocumentGroup: String? { raw["NSExtension"]?[FileProvider.group]?.stringValue }
}
