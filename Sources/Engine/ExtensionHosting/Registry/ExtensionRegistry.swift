public import ExtensionProtocol

/// The extensions and containing apps that a host knows: a picture of the sources at one moment.
///
/// One bad manifest never hides the others: it has an entry too, with its problems.
public struct ExtensionRegistry: Sendable, Hashable {
  /// Everything found, apps included, in the order of identifiers; an identifier can stand several times.
  public let entries: [RegistryEntry]
  /// The sources that the registry was read from.
  package let sources: RegistrySources
  /// The extension points that manifests may be for.
  public let points: ExtensionPointTable
  let graph = KnownTypes()

  /// Reads the manifests of all sources. Blocks for the time of reading a few small files.
  ///
  /// - Parameter points: the extension points that manifests may be for.
  public init(_ sources: RegistrySources, points: ExtensionPointTable) {
    self.sources = sources
    self.points = points
    entries = RegistryRelations(RegistryScan(sources, points), sources, points: points).entries
  }

  /// Reads the manifests of all sources, for extension points of the host app's own and no others. Blocks for the time of
  /// reading a few small files.
  public init(_ sources: RegistrySources, points: [any PointContract.Type]) {
    self.init(sources, points: ExtensionPointTable(points))
  }

  /// What the same sources hold, for more extension points.
  public func adding(_ points: [any PointContract.Type]) -> ExtensionRegistry {
    points.isEmpty ? self : ExtensionRegistry(sources, points: self.points.adding(points))
  }

  /// What the same sources hold now.
  package func readAgain() -> ExtensionRegistry { ExtensionRegistry(sources, points: points) }

  /// Returns whether two registries have the same entries. The points, which the host app brings, are not compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.entries == right.entries && left.sources == right.sources
  }

  /// Hashes what the comparison looks at.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entries)
    hasher.combine(sources)
  }

  // MARK: Lookup

  /// The entry that an identifier means: the one in use, else one that says why none is.
  public func entry(_ identifier: String) -> RegistryEntry? {
    let all = entries.filter { $0.identifier == identifier }
    return all.first(where: \.isEnabled) ?? all.first { $0.state == .ignored || $0.tag == "?" } ?? all.last
  }

  /// The entry of an identifier with the highest version, among equal ones the newest, whether or not it is in use.
  public func newest(_ identifier: String) -> RegistryEntry? {
    func rank(_ entry: RegistryEntry) -> (BundleVersion, Double) {
      (entry.manifest?.version ?? BundleVersion("0"), entry.modified)
    }
    return entries.filter { $0.identifier == identifier && $0.manifest != nil }
      .max { rank($0) < rank($1) }
  }

  /// The extensions that can be used, in the order of identifiers.
  public var extensions: [RegistryEntry] { entries.filter { $0.isEnabled && !$0.isApp } }

  /// The extensions at a point that can be used, in the order of identifiers.
  public func extensions(at point: ExtensionPoint) -> [RegistryEntry] { extensions.filter { $0.point == point } }

  /// The containing apps that can be used, in the order of identifiers.
  public var apps: [RegistryEntry] { entries.filter { $0.isEnabled && $0.isApp } }

  /// The extensions of an app that can be used.
  public func extensions(of app: String) -> [RegistryEntry] { extensions.filter { $0.containingApp == app } }

  /// The app that an extension belongs to, whether or not its executable is there.
  public func containingApp(of entry: RegistryEntry) -> RegistryEntry? {
    guard let identifier = entry.containingApp else { return nil }
    let all = entries.filter { $0.isApp && $0.identifier == identifier }
    return all.first(where: \.isEnabled) ?? all.first { $0.manifest != nil } ?? all.first
  }

  /// The app that answers to a URL scheme; the first by identifier when several do. Case does not matter.
  public func app(forScheme scheme: String) -> RegistryEntry? {
    let lower = scheme.lowercased()
    return apps.first { $0.manifest?.urlSchemes.contains(lower) ?? false }
  }

  /// The extension with an identifier, ready to use.
  ///
  /// - Throws: `extensionUnknown`, naming near misses, or `extensionInvalid`, naming every reason.
  public func enabledExtension(_ identifier: String) throws(ExtensionError) -> RegistryEntry {
    guard let entry = entry(identifier), !entry.isApp else { throw unknown(identifier) }
    guard entry.isEnabled else { throw unusable(entry) }
    return entry
  }
}
