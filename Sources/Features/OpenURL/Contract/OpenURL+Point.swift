public import ExtensionProtocol

extension OpenURL: PointContract {
  /// A containing app, which is no extension, and is asked to open the URLs of its own schemes.
  public static let definition = ExtensionPointDefinition(
    .containingApp, shortName: "app", role: "an app", plural: "the apps", calls: [.request(Deliver.self)],
    commonCalls: [Sessions.self], limits: ExtensionLimits(memoryMiB: 256))
  /// Containing apps.
  public static let points = [definition]
}
