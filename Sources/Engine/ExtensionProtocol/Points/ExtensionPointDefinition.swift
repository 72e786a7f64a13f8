/// The definition of an extension point: the names of its extensions, the calls that the host makes and those that
/// extensions may make, their limits, the reuse of processes, and the keys of manifests.
///
/// The host calls and supervises by the definition, an author's handlers are compared with it, and the tools check
/// manifests and try extensions by it. A ``PointContract`` holds it as a type; a feature lists the definitions of its
/// points in ``ServiceContract/points``. The points of this package are defined by this interface alone.
///
/// ```swift
/// let spelling = ExtensionPointDefinition(
///   ExtensionPoint("com.example.spelling"), shortName: "spelling", role: "a spelling checker",
///   plural: "the spelling checkers", calls: [.request(Check.self)], services: [Dictionaries.self],
///   limits: ExtensionLimits(memoryMiB: 64), reuse: .reuse)
/// ```
public struct ExtensionPointDefinition: Sendable {
  /// What an extension may do in the containers of its app groups.
  public enum GroupAccess: Sendable, Hashable {
    /// The extensions may read and write.
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
    /// A process is started for each request and never ahead: for extensions whose user interface belongs to the moment
    /// in which it is shown.
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
  /// What the methods of the point begin with, up to the slash. It belongs to this point alone, or to several that are
  /// called alike.
  public let prefix: String
  /// The version of the definition.
  public let version: PointVersion
  /// What the host calls, under the ``prefix``.
  public var calls: [HostCall]
  /// Contracts of services whose ``ServiceContract/calls`` the extensions serve as well: a service by which the host
  /// passes items, for example.
  public var commonCalls: [any ServiceContract.Type]
  /// The only services that the extensions may call; `nil` leaves the decision to the services, each of which lists its
  /// callers. A service without such a list that is named here is open to the point.
  public var services: [any ServiceContract.Type]?
  /// The permissions that manifests at the point may ask for, by the names of ``PermissionKind``, and no others; `nil` is
  /// any. What is asked for is not granted yet: that is up to the user.
  public var permissions: [String]?
  /// What one process, and its container, may use. A host can raise it, a manifest only lower it.
  public var limits: ExtensionLimits
  /// How the containers of app groups may be used.
  public var groups: GroupAccess
  /// How long a process lasts.
  public var reuse: Reuse
  /// Whether users pass items to these extensions. A manifest then needs an activation rule, which decides for which
  /// items the extension is offered.
  public var takesItems: Bool
  /// What these extensions may call otherwise than others may, by rows that count before those of the methods' own
  /// contracts. Each holds for this point, whatever points it names.
  public var access: [Allowlist.Row]
  /// What a manifest says at the point besides what every manifest says.
  public var manifest: ManifestRules

  /// Defines a point; the parameters are as the properties say.
  ///
  /// - Parameter prefix: the short name unless it is given.
  public init(
    _ point: ExtensionPoint, version: PointVersion = .first, shortName: String, role: String, plural: String,
    prefix: String? = nil, position: Int = 1000, calls: [HostCall] = [], commonCalls: [any ServiceContract.Type] = [],
    services: [any ServiceContract.Type]? = nil, permissions: [String]? = nil, limits: ExtensionLimits,
    groups: GroupAccess = .readWrite, reuse: Reuse = .never, takesItems: Bool = false, access: [Allowlist.Row] = [],
    manifest: ManifestRules = ManifestRules()
  ) {
    self.point = point
    self.version = version
    self.shortName = shortName
    self.role = role
    self.plural = plural
    self.prefix = prefix ?? shortName
    self.position = position
    self.calls = calls
    self.commonCalls = commonCalls
    self.services = services
    self.permissions = permissions
    self.limits = limits
    self.groups = groups
    self.reuse = reuse
    self.takesItems = takesItems
    self.access = access
    self.manifest = manifest
  }

  /// Everything that the host calls at the point: its own methods and those of ``commonCalls``.
  public var allCalls: [HostCall] { calls + commonCalls.flatMap { $0.calls } }

  /// The oldest version that understands this one.
  package var oldest: PointVersion { min(.first, PointVersion(version.major, 0)) }

  /// The version that a method came with; one that says nothing has been there from the beginning, also where that was
  /// before ``PointVersion/first``.
  package func version(of call: HostCall) -> PointVersion { call.since == .first ? oldest : call.since }

  /// The definition of a containing app, which is not an extension but runs in a sandbox of its own, where no feature
  /// defines it.
  static let containingApp = ExtensionPointDefinition(
    .containingApp, shortName: "app", role: "an app", plural: "the apps", limits: ExtensionLimits(memoryMiB: 256))
}
