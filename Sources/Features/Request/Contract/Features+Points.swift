public import ExtensionProtocol

extension Features {
  /// The extension points of the features.
  public static let points = ExtensionPointTable(contracts.flatMap { $0.points })

  /// What extensions may call, as the contracts of the features and the definitions of their points say.
  public static let allowlist = Allowlist(contracts: contracts, points: points)

  /// Every method of the features, in both directions.
  public static let methods = MethodCatalogue(contracts: contracts, points: points)
}

extension ExtensionPoint {
  /// The point of a feature with an identifier or a short name, or the containing app (`app`).
  ///
  /// - Returns: `nil` when there is none.
  package init?(name: String) {
    guard let point = Features.points.point(named: name) else { return nil }
    self = point
  }

  /// The short name that a feature gives the point, or its identifier.
  package var shortName: String { Features.points.shortName(of: self) }
}
