public import ExtensionProtocol
import PropertyList

extension ExtensionPoint {
  /// The extension point of actions without a user interface.
  public static let action = ExtensionPoint(rawValue: "com.apple.services")
  /// An action with a user interface.
  public static let actionUI = ExtensionPoint(rawValue: "com.apple.ui-services")
}

extension Action: PointContract {
  private static let fullScreen = "NSExtensionActionWantsFullScreenPresentation"

  private static let rules = ManifestRules(keys: [
    .preprocessing,
    .word("NSExtensionServiceRoleType", among: Role.allCases.map(\.rawValue), what: "service role")
      .described(
        "Whether the action changes what it is given (`NSExtensionServiceRoleTypeEditor`) or shows it "
          + "(`NSExtensionServiceRoleTypeViewer`).",
        example: "NSExtensionServiceRoleTypeViewer"),
    ManifestKey(fullScreen, .bool, in: [.section, .attributes])
      .described("Whether the action asks for the whole screen.", default: "false", example: true),
  ])

  private static let actionCalls: [HostCall] = [
    .request(Perform.self, transfers: [.itemsIn("inputItems")])
  ]

  /// Every action is of another user action, and gets a process that has seen no other.
  public static let definition = ExtensionPointDefinition(
    .action, shortName: "action", role: "an action", plural: "the actions", position: 30, calls: actionCalls,
    commonCalls: [Request.self, Items.self], limits: ExtensionLimits(memoryMiB: 128), reuse: .once, takesItems: true,
    manifest: rules)
  /// The actions that the user sees at work.
  private static let withInterface = ExtensionPointDefinition(
    .actionUI, shortName: "action-ui", role: "an action with a user interface", plural: "the actions",
    prefix: "action", position: 40, calls: actionCalls, commonCalls: [Request.self, Items.self],
    limits: ExtensionLimits(memoryMiB: 128), takesItems: true, manifest: rules)
  /// Without a user interface, and with one.
  public static let points = [definition, withInterface]

  /// Whether a manifest asks for the whole screen (`NSExtensionActionWantsFullScreenPresentation`).
  public static func wantsFullScreenPresentation(_ manifest: Manifest) -> Bool {
    let outer = manifest.raw["NSExtension"]?[fullScreen] ?? manifest.attributes[fullScreen]
    return outer?.boolValue ?? false
  }
}
