import Text

/// Where a registry looks for extensions and containing apps.
public struct RegistrySources: Sendable, Hashable {
  /// A folder of loose manifests, `*.plist`, for extensions that are not packed into bundles.
  public struct ManifestFolder: Sendable, Hashable {
    /// The folder with the manifests.
    public var path: String
    /// The folder that `CFBundleExecutable` is relative to, for manifests without `Annex.Interpreter`: the folder of built
    /// products.
    public var products: String
    /// The folder that scripts are relative to, for manifests with `Annex.Interpreter`.
    public var scripts: String
    /// Further folders of built products that the user has named. `Annex.Products` of a manifest may name them, and else
    /// only folders below the manifest, and `.build` of its own package.
    public var programs: [String]

    /// - Parameters:
    ///   - path: the folder with the manifests.
    ///   - products: what `CFBundleExecutable` is relative to.
    ///   - scripts: when absent, the folder `Plugins` beside the manifest folder.
    ///   - programs: further folders of built products.
    public init(path: String, products: String, scripts: String? = nil, programs: [String] = []) {
      self.path = path
      self.products = products
      self.scripts = scripts ?? LoosePlaces.usualScripts(path)
      self.programs = programs
    }
  }

  /// The paths of bundles: `X.app`, with extensions in its folder `PlugIns`, or a single `Y.appex`.
  public var bundles: [String]
  /// Folders of loose manifests.
  public var manifestFolders: [ManifestFolder]
  /// What a user decided, by bundle identifier. A decision stays with the identifier when versions change.
  public var elections: [String: Election]
  /// What extensions may ask for, by bundle identifier; a version that asks for more waits for approval.
  public var approvals: [String: Set<String>] = [:]
  /// What was read before; `nil` reads every manifest each time.
  public var cache: ManifestCache?
  /// Folders of announced extension points (``AnnouncedPoint``), besides those of bundles and beside manifests.
  public var announcements: [String] = []
  /// Every folder that announced points may lie in: `Points` in bundles and in folders of manifests, and
  /// ``announcements``.
  public var pointFolders: [String] {
    (bundles + manifestFolders.map(\.path)).map { "\($0)/Points" } + announcements
  }
  /// The teams that identifiers belong to; an app of another team is another app, and is not used under that name.
  public var teams: [String: BundleTeam] = [:]
  /// By fingerprint of a team, that of its successor.
  public var successors: [String: String] = [:]
  /// Why keys and sealed bundles are good no longer, as in ``RegistryRecord/revoked``.
  public var revoked: [String: String] = [:]
  /// What is known of bundles since they were added, by path.
  var added: [ExactText: RegistryRecord.Bundle] = [:]

  /// Creates sources without a user's record.
  ///
  /// - Parameters:
  ///   - bundles: paths that end in `.app` or `.appex`.
  ///   - manifestFolders: folders of loose manifests.
  ///   - elections: decisions by bundle identifier; without one, the default applies.
  public init(
    bundles: [String] = [], manifestFolders: [ManifestFolder] = [], elections: [String: Election] = [:]
  ) {
    self.bundles = bundles
    self.manifestFolders = manifestFolders
    self.elections = elections
  }

  /// Creates sources from a user's record and folders of loose manifests.
  public init(record: RegistryRecord, manifestFolders: [ManifestFolder] = []) {
    self.init(bundles: record.bundles.map(\.path), manifestFolders: manifestFolders, elections: record.elections)
    approvals = record.approvals
    teams = record.teams
    // Until its data is put aside, an identifier is nobody's.
    for identifier in record.handovers.keys { teams[identifier] = BundleTeam(team: "none", name: "no team yet") }
    (successors, revoked) = (record.successors, record.revoked)
    added = Dictionary(record.bundles.map { (ExactText($0.path), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What a user decided about an extension. No decision is the default.
public enum Election: String, Sendable, Hashable, Codable {
  /// The user wants it.
  case use
  /// The user does not want it: it is never offered or started.
  case ignore
}
