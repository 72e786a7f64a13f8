extension Allowlist {
  /// The table's decision about one method at one point.
  package struct Decision: Sendable {
    /// The wire name of the method.
    package let method: String
    /// The extension point of the caller.
    package let point: ExtensionPoint
    /// The row that decides; `nil` when no row is about the method.
    package let row: Row?

    /// Whether extensions at the point may call the method at all.
    package var isOpen: Bool { row?.isOpen(to: point) ?? true }
    /// What the manifest has to name. A method that no row is about needs an entitlement named like its prefix.
    package var entitlement: String? {
      guard let row else { return String(method.prefix { $0 != "/" }) }
      return isOpen ? row.entitlement : nil
    }
    /// What the user has to have granted.
    package var permissions: [String] { isOpen ? row?.permissions ?? [] : [] }
  }

  /// Every decision, in the order of methods, then of points with the containing app last.
  package func decisions(methods: [String], points: ExtensionPointTable) -> [Decision] {
    methods.sorted().flatMap { method in
      (points.points + [.containingApp]).map { point in
        Decision(method: method, point: point, row: row(for: method, point: point))
      }
    }
  }

  /// Decisions as text, one line each: method, point, whether it may be called, the entitlement and the permissions that
  /// this needs, and the rule. Tabs separate the columns, so that no line changes because of another.
  package static func text(of decisions: [Decision], points: ExtensionPointTable) -> String {
    decisions.map { decision in
      let columns = [
        decision.method, points.shortName(of: decision.point), decision.isOpen ? "open" : "closed",
        decision.entitlement ?? "-", decision.permissions.isEmpty ? "-" : decision.permissions.joined(separator: ","),
        decision.row?.rule ?? "-",
      ]
      return columns.joined(separator: "\t") + "\n"
    }.joined()
  }
}
