import JSON

/// The methods that extensions may call, as one table: extension point × method × entitlement × permission.
///
/// The broker reads the table for every call. `host api` prints it, together with the methods that a host serves. A
/// method outside of the table belongs to an embedder's own service and needs an entitlement named like its prefix.
public struct Allowlist: Sendable {
  /// One line: a method (or `prefix/*`), the points that may call it, and what they need for it.
  public struct Row: Sendable, Hashable {
    /// A wire name, or `prefix/*` for all methods of a prefix.
    public let method: String
    /// `nil` is every point.
    public let points: [ExtensionPoint]?
    /// The name under `Annex.Entitlements` in the manifest; `nil` needs none.
    public let entitlement: String?
    /// The permissions that the user has to have granted, by the names of ``PermissionKind``.
    public let permissions: [String]
    /// Why, and what to do instead; a sentence.
    public let rule: String

    /// A row; the parameters are as the properties say.
    public init(
      _ method: String, _ points: [ExtensionPoint]?, _ entitlement: String?, permissions: [String] = [], _ rule: String
    ) {
      self.method = method
      self.points = points
      self.entitlement = entitlement
      self.permissions = permissions
      self.rule = rule
    }

    /// Whether the row is about a method.
    public func covers(_ method: String) -> Bool {
      self.method.hasSuffix("/*") ? method.hasPrefix(self.method.dropLast()) : method == self.method
    }

    func names(_ point: ExtensionPoint) -> Bool { points?.contains(point) ?? false }

    func isOpen(to point: ExtensionPoint) -> Bool { points?.contains(point) ?? true }
  }

  /// The lines of the table, in order.
  public let rows: [Row]

  /// The points whose extensions may use some services only: the prefixes of these services, and the rule as a
  /// sentence.
  private let restricted: [ExtensionPoint: (prefixes: Set<String>, rule: String)]

  /// - Parameter rows: of several rows about one method, the first that is open to a point decides.
  public init(_ rows: [Row]) {
    self.rows = rows
    restricted = [:]
  }

  /// The table of some contracts and points: what they say, and that the wire's own messages are open to everybody.
  public init(contracts: [any ServiceContract.Type], points: ExtensionPointTable) {
    let wire = Row("$/*", nil, nil, "The wire's own messages are open to everybody.")
    rows = [wire] + contracts.flatMap { $0.access } + points.definitions.flatMap { $0.rows }
    var restricted: [ExtensionPoint: (prefixes: Set<String>, rule: String)] = [:]
    for definition in points.definitions {
      guard let services = definition.services else { continue }
      let prefixes = services.map { $0.name } + definition.access.map { String($0.method.prefix { $0 != "/" }) }
      let names = prefixes.isEmpty ? "no services" : "the services \(Set(prefixes).sorted().joined(separator: ", "))"
      restricted[definition.point] = (Set(prefixes), "Its extensions use \(names).")
    }
    self.restricted = restricted
  }

  /// The rows about a method: those that name it, else those with its prefix.
  public func rows(for method: String) -> [Row] {
    let exact = rows.filter { $0.method == method }
    return exact.isEmpty ? rows.filter { $0.covers(method) } : exact
  }

  /// The row that decides for a method and a point: the first that names the point, else the first that is open to every
  /// point, else the first.
  public func row(for method: String, point: ExtensionPoint) -> Row? {
    if let (prefixes, rule) = restricted[point], !method.hasPrefix("$/"),
      !prefixes.contains(String(method.prefix { $0 != "/" }))
    {
      return Row(method, [], nil, rule)
    }
    let all = rows(for: method)
    return all.first { $0.names(point) } ?? all.first { $0.isOpen(to: point) } ?? all.first
  }

  /// Whether a row is the one that opens a method to a point.
  public func decides(_ row: Row, for method: String, at point: ExtensionPoint) -> Bool {
    row.isOpen(to: point) && self.row(for: method, point: point) == row
  }

  /// Whether a caller may call a method, as far as its manifest decides.
  ///
  /// - Returns: `nil` when it may; else the refusal, with `pointDisallows` or `permissionDenied`.
  public func refusal(method: String, point: ExtensionPoint, entitlements: [String]) -> ExtensionError? {
    let row = row(for: method, point: point)
    if let row, !row.isOpen(to: point) {
      return ExtensionError(
        .pointDisallows, "\(method) is not open to the extension point \(point.rawValue). \(row.rule)",
        details: ["method": .string(method), "point": .string(point.rawValue)])
    }
    let needed = row.map(\.entitlement) ?? method.prefix { $0 != "/" }.description
    guard let needed, !entitlements.contains(needed) else { return nil }
    return ExtensionError(
      .permissionDenied, "\(method) needs the entitlement \"\(needed)\", which the manifest does not name.",
      recovery: "Add \"\(needed)\" to Annex.Entitlements in the extension's manifest.",
      details: ["method": .string(method), "permission": .string(needed), "state": .string("denied")])
  }

  /// The permissions that a call needs of its caller's user.
  public func permissions(method: String, point: ExtensionPoint) -> [String] {
    row(for: method, point: point)?.permissions ?? []
  }
}

extension ExtensionPointDefinition {
  /// The rows of ``access``, for this point only, and one for each service that is named and says nothing itself.
  fileprivate var rows: [Allowlist.Row] {
    let silent = (services ?? []).filter { $0.access.isEmpty }
    return access.map { Allowlist.Row($0.method, [point], $0.entitlement, permissions: $0.permissions, $0.rule) }
      + silent.map { Allowlist.Row("\($0.name)/*", [point], nil, "It belongs to \(plural).") }
  }
}
