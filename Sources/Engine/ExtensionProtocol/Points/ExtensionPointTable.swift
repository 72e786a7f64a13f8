/// The extension points that a host knows.
///
/// A registry checks manifests against the table, and a host takes from it what an extension may use.
public struct ExtensionPointTable: Sendable {
  /// The definitions without that of the containing app, in the order in which tools list them.
  public let definitions: [ExtensionPointDefinition]
  /// The keys of manifests that have an effect only at some points, each with these points.
  package let keys: [(key: ManifestKey, points: [ExtensionPoint])]
  /// The keys that `NSExtension` and `NSExtensionAttributes` may have.
  let sectionKeys: [String: ManifestKey.ValueType]
  let attributeKeys: [String: ManifestKey.ValueType]
  /// The keys whose value names a file of the bundle.
  package let fileKeys: [ManifestKey]
  private let byPoint: [ExtensionPoint: ExtensionPointDefinition]
  /// The definition of the containing app.
  private let app: ExtensionPointDefinition
  /// What the table was made of.
  let given: [ExtensionPointDefinition]

  /// A table of definitions in any order. Of several for one point the last counts, as long as it has the same calls: see
  /// ``check(_:)``. A definition of ``ExtensionPoint/containingApp`` says what holds for apps.
  public init(_ definitions: [ExtensionPointDefinition]) {
    given = definitions
    app = definitions.last { $0.point == .containingApp } ?? .containingApp
    let definitions = definitions.filter { $0.point != .containingApp }
    let byPoint = Dictionary(definitions.map { ($0.point, $0) }, uniquingKeysWith: { _, last in last })
    self.byPoint = byPoint
    self.definitions = byPoint.values.sorted { ($0.position, $0.point.rawValue) < ($1.position, $1.point.rawValue) }
    keys = Self.keys(of: self.definitions)
    sectionKeys = Self.types(of: keys.map(\.key), in: .section).merging(ManifestTable.types(of: ManifestTable.section))
    {
      own, _ in own
    }
    attributeKeys = Self.types(of: keys.map(\.key), in: .attributes)
      .merging(ManifestTable.types(of: ManifestTable.passiveAttributes)) { own, _ in own }
    fileKeys = keys.map(\.key).filter { $0.fileEnding != nil }
  }

  /// A table of points of the host app's own.
  public init(_ points: [any PointContract.Type]) { self.init(points.map { $0.definition }) }

  /// The same table with more points.
  public func adding(_ points: [any PointContract.Type]) -> ExtensionPointTable {
    adding(points.map { $0.definition })
  }

  /// The same table with more points.
  public func adding(_ definitions: [ExtensionPointDefinition]) -> ExtensionPointTable {
    definitions.isEmpty ? self : ExtensionPointTable(given + definitions)
  }

  /// The points without that of the containing app, in the order in which tools list them.
  public var points: [ExtensionPoint] { definitions.map(\.point) }

  /// The points whose extensions are offered for items by their activation rules.
  public var pointsTakingItems: [ExtensionPoint] { definitions.filter(\.takesItems).map(\.point) }

  /// Whether a point is in the table; the containing app is none.
  public func contains(_ point: ExtensionPoint) -> Bool { byPoint[point] != nil }

  /// Every definition, that of the containing app last.
  public var all: [ExtensionPointDefinition] { definitions + [app] }

  /// The definition of a point; of a point that is not in the table, what holds for the containing app.
  public func definition(of point: ExtensionPoint) -> ExtensionPointDefinition { byPoint[point] ?? app }

  /// The point with an identifier or a short name, the containing app (`app`) included.
  ///
  /// - Returns: `nil` when there is none.
  public func point(named name: String) -> ExtensionPoint? {
    (definitions + [app]).first { $0.shortName == name || $0.point.rawValue == name }?.point
  }

  /// The short name of a point, or the identifier of one that is not in the table.
  public func shortName(of point: ExtensionPoint) -> String {
    contains(point) || point == .containingApp ? definition(of: point).shortName : point.rawValue
  }

  private static func keys(
    of definitions: [ExtensionPointDefinition]
  ) -> [(key: ManifestKey, points: [ExtensionPoint])] {
    var found: [(key: ManifestKey, points: [ExtensionPoint])] = []
    for definition in definitions {
      for key in (definition.takesItems ? [.activationRule] : []) + definition.manifest.keys {
        if let known = found.firstIndex(where: { $0.key.name == key.name }) {
          found[known].points.append(definition.point)
        } else {
          found.append((key, [definition.point]))
        }
      }
    }
    return found
  }

  private static func types(
    of keys: [ManifestKey], in place: ManifestKey.Places
  ) -> [String: ManifestKey.ValueType] {
    ManifestTable.types(of: keys.filter { $0.places.contains(place) })
  }
}
