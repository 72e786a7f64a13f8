public import ExtensionProtocol

extension ExtensionPoint {
  /// Share extensions.
  public static let share = ExtensionPoint(rawValue: "com.apple.share-services")
}

extension Share: PointContract {
  /// Share extensions only.
  public static let access = [Allowlist.Row("share/*", [.share], nil, "Share calls belong to Share extensions.")]

  /// `com.apple.share-services`, with a ceiling of 128 MiB of memory.
  public static let definition = ExtensionPointDefinition(
    .share, shortName: "share", role: "a Share extension", plural: "the Share extensions", position: 20,
    calls: [
      .request(Presentation.self, isOptional: true), .request(ValidateContent.self, isOptional: true),
      .request(Completions.self, isOptional: true), .request(ConfigurationItems.self, isOptional: true),
      .request(SelectConfigurationItem.self, isOptional: true), .request(DidSelectPost.self),
      .request(DidSelectCancel.self, isOptional: true),
    ], commonCalls: [Request.self, Items.self], limits: ExtensionLimits(memoryMiB: 128), takesItems: true,
    manifest: ManifestRules(keys: [.preprocessing]))
  /// This one point.
  public static let points = [definition]
}
