public import ExtensionProtocol

extension ExtensionPoint {
  /// Share extensions.
  public static let share = ExtensionPoint(rawValue: "com.apple.share-services")
}

extension Share {
  /// Share extensions only.
  public static let access = [Allowlist.Row("share/*", [.share], nil, "Share calls belong to Share extensions.")]

  /// `com.apple.share-services`, with a ceiling of 128 MiB of memory.
  public static let points = [
    ExtensionPointDefinition(
      .share, shortName: "share", role: "a Share extension", plural: "the Share extensions", position: 20,
      limits: ExtensionLimits(memoryMiB: 128), takesItems: true, manifest: ManifestRules(keys: [.preprocessing]))
  ]
}
