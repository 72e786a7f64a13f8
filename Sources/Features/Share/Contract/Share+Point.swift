public import ExtensionProtocol

extension ExtensionPoint {
  /// Share extensions.
  public static let share = ExtensionPoint(rawValue: "com.apple.share-services")
}

extension Share {
  public static let access = [Allowlist.Row("share/*", [.share], nil, "Share calls belong to Share extensions.")]

  public static let points = [
    ExtensionPointDefinition(
      .share, shortName: "share", role: "a Share extension", plural: "the Share extensions", position: 20,
      limits: ExtensionLimits(memoryMiB: 128), takesItems: true, manifest: ManifestRules(keys: [.preprocessing]))
  ]
}
