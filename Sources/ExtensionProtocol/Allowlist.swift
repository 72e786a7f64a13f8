import JSONRPC

/// What an extension may call, as one table: extension point × method × entitlement.
///
/// The table is asked by the broker for every call, and printed by `host api`. A method outside the table belongs to an
/// embedder's own service and needs an entitlement named like its prefix.
public struct Allowlist: Sendable {
  /// One line: a method (or `prefix/*`), the points that may call it, and the entitlement it needs.
  public struct Row: Sendable {
    public let method: String
    /// `nil` is every point.
    public let points: [ExtensionPoint]?
    /// The name under `Annex.Entitlements` in the manifest; `nil` needs none.
    public let entitlement: String?
    /// Why, and what to do instead; a sentence.
    public let rule: String

    /// A row; `points` and `entitlement` are as the properties say.
    public init(_ method: String, _ points: [ExtensionPoint]?, _ entitlement: String?, _ rule: String) {
      self.method = method
      self.points = points
      self.entitlement = entitlement
      self.rule = rule
    }

    func covers(_ method: String) -> Bool {
      self.method.hasSuffix("/*") ? method.hasPrefix(self.method.dropLast()) : method == self.method
    }
  }

  public let rows: [Row]

  /// The project's table. The first row that covers a method decides.
  public static let standard = Allowlist([
    // method              points                          entitlement  rule
    Row("$/*", nil, nil, "The wire's own messages are open to everybody."),
    Row("context/*", nil, nil, "An extension ends its own requests; the broker checks that they are its own."),
    Row("item/*", nil, nil, "An extension loads the items of its own requests."),
    Row("defaults/*", nil, nil, "The suite must be an app group of the extension and of its containing app."),
    Row("content/*", nil, "content", "AEM content is fetched by the host; name \"content\" among the entitlements."),
    Row("url/open", [.today], nil, "Only a Today widget may open URLs, and only its containing app's."),
    Row("widget/*", [.today, .containingApp], nil, "Widget calls belong to Today widgets and their containing app."),
    Row("keyboard/*", [.keyboard], nil, "Keyboard calls belong to Custom Keyboards."),
    Row("share/*", [.share], nil, "Share calls belong to Share extensions."),
  ])

  public init(_ rows: [Row]) { self.rows = rows }

  /// Whether a caller may call a method.
  ///
  /// - Returns: `nil` when it may; else the refusal, with `pointDisallows` or `permissionDenied`.
  public func refusal(method: String, point: ExtensionPoint, entitlements: [String]) -> ExtensionError? {
    let row = rows.first { $0.covers(method) }
    if let points = row?.points, !points.contains(point) {
      return ExtensionError(
        .pointDisallows, "\(method) is not open to the extension point \(point.rawValue). \(row?.rule ?? "")",
        details: ["method": .string(method), "point": .string(point.rawValue)])
    }
    let needed = row.map(\.entitlement) ?? method.prefix { $0 != "/" }.description
    guard let needed, !entitlements.contains(needed) else { return nil }
    return ExtensionError(
      .permissionDenied, "\(method) needs the entitlement \"\(needed)\", which the manifest does not name.",
      recovery: "Add \"\(needed)\" to Annex.Entitlements in the extension's manifest.",
      details: ["method": .string(method), "permission": .string(needed), "state": .string("denied")])
  }
}
