public import ExtensionProtocol

extension ExtensionPoint {
  /// Today widgets.
  public static let today = ExtensionPoint(rawValue: "com.apple.widget-extension")
}

extension Today: PointContract {
  /// Today widgets and their containing app.
  public static let access = [
    Allowlist.Row(
      "widget/*", [.today, .containingApp], nil, "Widget calls belong to Today widgets and their containing app.")
  ]

  /// Memory is scarce where widgets of many apps run beside each other. They keep what they know from update to update.
  public static let definition = ExtensionPointDefinition(
    .today, shortName: "today", role: "a Today widget", plural: "the widgets", prefix: "widget", position: 10,
    calls: [
      .request(PerformUpdate.self), .request(DisplayModeDidChange.self, isOptional: true),
      .request(DidSelectRow.self, isOptional: true),
      .notification(ViewWillAppear.self), .notification(ViewDidDisappear.self),
    ],
    limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse)
  /// This one point.
  public static let points = [definition]
}
