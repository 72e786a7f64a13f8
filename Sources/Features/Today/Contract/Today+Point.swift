public import ExtensionProtocol

extension ExtensionPoint {
  /// Today widgets.
  public static let today = ExtensionPoint(rawValue: "com.apple.widget-extension")
}

extension Today {
  /// Today widgets and their containing app.
  public static let access = [
    Allowlist.Row(
      "widget/*", [.today, .containingApp], nil, "Widget calls belong to Today widgets and their containing app.")
  ]

  /// Memory is scarce where widgets of many apps run beside each other. They keep what they know from update to update.
  public static let points = [
    ExtensionPointDefinition(
      .today, shortName: "today", role: "a Today widget", plural: "the widgets", position: 10,
      limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse)
  ]
}
