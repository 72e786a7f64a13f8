public import ExtensionProtocol
import PropertyList

extension ExtensionPoint {
  /// Custom Keyboards.
  public static let keyboard = ExtensionPoint(rawValue: "com.apple.keyboard-service")
}

extension Keyboard: PointContract {
  /// Custom Keyboards only.
  public static let access = [
    Allowlist.Row("keyboard/*", [.keyboard], nil, "Keyboard calls belong to Custom Keyboards.")
  ]

  /// A keyboard sees all that is typed. What leads out of it needs open access (App Extension Programming Guide, Custom
  /// Keyboard).
  private static let closedAccess = [
    Allowlist.Row(
      "defaults/*", nil, nil, permissions: ["open-access"],
      "A keyboard writes to its app groups only with open access; it may always read them."),
    Allowlist.Row(
      "content/*", nil, "content", permissions: ["open-access"],
      "A keyboard reaches the network only with open access; name \"content\" among the entitlements."),
    Allowlist.Row(
      "network/*", nil, nil, permissions: ["network", "open-access"],
      "A keyboard reaches the network only with open access, and the servers that Annex.Network names."),
    Allowlist.Row(
      "auth/*", nil, nil, permissions: ["auth", "open-access"],
      "A keyboard calls web APIs only with open access, those that Annex.Auth names."),
    Allowlist.Row(
      "auth/requestSignIn", nil, nil, permissions: ["auth", "open-access"],
      "A keyboard calls web APIs only with open access, those that Annex.Auth names."),
    Allowlist.Row(
      "auth/accounts", nil, nil, permissions: ["auth", "open-access"],
      "A keyboard knows the signed-in accounts only with open access."),
    Allowlist.Row(
      "data/*", nil, nil, permissions: ["data", "open-access"],
      "A keyboard reaches data only with open access, behind the connectors that Annex.DataConnect names."),
    Allowlist.Row(
      "session/*", nil, nil, permissions: ["network", "open-access"],
      "A keyboard transfers files only with open access, from and to the servers that Annex.Network names."),
  ]

  /// Keyboards keep what they know from text field to text field.
  public static let definition =
    ExtensionPointDefinition(
      .keyboard, shortName: "keyboard", role: "a keyboard", plural: "the keyboards", position: 80,
      calls: [
        .request(Begin.self), .request(Input.self), .request(End.self, isOptional: true),
        .notification(TextWillChange.self), .notification(TextDidChange.self),
        .notification(SelectionWillChange.self), .notification(SelectionDidChange.self),
      ], limits: ExtensionLimits(memoryMiB: 64), groups: .readOnlyWithoutOpenAccess, reuse: .reuse,
      access: closedAccess,
      manifest: ManifestRules(
        keys: [
          ManifestKey("IsASCIICapable", .bool)
            .described("Whether every ASCII character can be typed.", default: "false", example: true),
          ManifestKey("PrefersRightToLeft", .bool)
            .described("Whether its language is written from right to left.", default: "false", example: true),
          .language("PrimaryLanguage")
            .described(
              "The language tag (RFC 5646), or `mul` for several languages.", default: "`en-US`", example: "en-US"),
          ManifestKey(openAccess, .bool)
            .described(
              "Asks for the permission `open-access`: to write to app groups and use the network.", default: "false",
              example: true),
        ],
        permissions: { manifest in
          let asks = manifest.attributes[openAccess]?.boolValue == true
          return asks ? [AskedPermission(PermissionKind.openAccess.name)] : []
        }))
  /// This one point.
  public static let points = [definition]

  private static let openAccess = "RequestsOpenAccess"
}
