/// What a host knows of an extension point: what its extensions are called, what one of them may use, how long a process
/// lasts, and what a manifest says there.
///
/// A feature names the definitions of its points in ``ServiceContract/points``. The points that come with this package
/// are defined by this interface and by nothing else.
///
/// ```swift
/// extension ExtensionPoint {
///   static let spelling = ExtensionPoint(rawValue: "com.example.spelling")
/// }
///
/// let spelling = ExtensionPointDefinition(
///   .spelling, shortName: "spelling", role: "a spelling checker", plural: "the spelling checkers",
///   limits: ExtensionLimits(memoryMiB: 64), reuse: .reuse)
/// ```
public struct ExtensionPointDefinition: Sendable {
  /// What an extension may do in the containers of its app groups.
  public enum GroupAccess: Sendable, Hashable {
    /// Reading and writing.
    case readWrite
    /// Reading, and writing with the user's open access (``PermissionKind/openAccess``).
    case readOnlyWithoutOpenAccess
  }

  /// Whether a process may be started ahead, and may serve more than one request.
  public enum Reuse: Sendable, Hashable {
    /// Started ahead, and kept after a request: for extensions that keep what they know from request to request.
    case reuse
    /// Started ahead, and ended after one request: for extensions that must not see what another request was about.
    case once
    /// Only started for a request: for extensions whose user interface belongs to the moment in which it is shown.
    case never
  }

  /// The point, by its identifier.
  public let point: ExtensionPoint
  /// The point's name in tools and messages, one word: `today`.
  public let shortName: String
  /// One extension of the point, as a sentence ends that begins with its name: “a Today widget”, “for photo editing”.
  public let role: String
  /// All of them: “the widgets”.
  public let plural: String
  /// Where tools list the point: smaller numbers come first, equal ones in the order of identifiers.
  public var position: Int
  /// What one process, and its container, may use. A host can raise it, a manifest only lower it.
  public var limits: ExtensionLimits
  /// How the containers of app groups may be used.
  public var groups: GroupAccess
  /// How long a process lasts.
  public var reuse: Reuse
  /// Whether users pass items to these extensions. A manifest then needs an activation rule, which says for which items
  /// the extension is offered.
  public var takesItems: Bool
  /// What these extensions may call otherwise than others may, by rows that count before those of the methods' own
  /// contracts. Each holds for this point, whatever points it names.
  public var access: [Allowlist.Row]
  /// What a manifest says at the point besides what every manifest says.
  public var manifest: ManifestRules

  /// Defines a point; the parameters are as the properties say.
  public init(
    _ point: ExtensionPoint, shortName: String, role: String, plural: String, position: Int = 1000,
    limits: ExtensionLimits, groups: GroupAccess = .readWrite, reuse: Reuse = .never, takesItems: Bool = false,
    access: [Allowlist.Row] = [], manifest: ManifestRules = ManifestRules()
  ) {
    self.point = point
    self.shortName = shortName
    self.role = role
    self.plural = plural
    self.position = position
    self.limits = limits
    self.groups = groups
    self.reuse = reuse
    self.takesItems = takesItems
    self.access = access
    self.manifest = manifest
  }

  /// The containing app, which is no extension but runs in a sandbox of its own all the same.
  static let containingApp = ExtensionPointDefinition(
    .containingApp, shortName: "app", role: "an app", plural: "the apps", limits: ExtensionLimits(memoryMiB: 256))
}
