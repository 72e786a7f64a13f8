/// What a manifest says at one extension point besides what every manifest says.
public struct ManifestRules: Sendable {
  /// The keys that have an effect at the point. At other points a host warns about them. Points that share a key share its
  /// rules too: those of the first point in the order of tools count.
  public var keys: [ManifestKey]
  /// What a manifest at the point asks its user for, besides what a manifest at any point may ask for.
  public var permissions: @Sendable (Manifest) -> [AskedPermission]
  /// Checks what has to be there, for manifests at the point only.
  public var check: @Sendable (inout ManifestReader, Manifest) -> Void
  /// Checks what the manifest says against the others that a registry has; `nil` where there is nothing to check.
  public var checkNeighbours: (@Sendable (inout ManifestReader, ManifestNeighbours) -> Void)?

  /// Rules; the parameters are as the properties say.
  public init(
    keys: [ManifestKey] = [], permissions: @escaping @Sendable (Manifest) -> [AskedPermission] = { _ in [] },
    check: @escaping @Sendable (inout ManifestReader, Manifest) -> Void = { _, _ in },
    checkNeighbours: (@Sendable (inout ManifestReader, ManifestNeighbours) -> Void)? = nil
  ) {
    self.keys = keys
    self.permissions = permissions
    self.check = check
    self.checkNeighbours = checkNeighbours
  }
}

/// What a registry found around a manifest.
public struct ManifestNeighbours: Sendable {
  /// The manifest that is checked.
  public let manifest: Manifest
  /// Its containing app's; `nil` when there is none.
  public let app: Manifest?
  /// The app's extensions, this one included, with their identifiers.
  public let siblings: [Manifest]
  /// Whether a uniform type identifier is one of the system's, or is declared by a manifest.
  public let knowsType: @Sendable (String) -> Bool

  /// Creates the context of a manifest; `app` is `nil` when the extension has no containing app.
  package init(
    of manifest: Manifest, app: Manifest?, siblings: [Manifest], knowsType: @escaping @Sendable (String) -> Bool
  ) {
    self.manifest = manifest
    self.app = app
    self.siblings = siblings
    self.knowsType = knowsType
  }
}
