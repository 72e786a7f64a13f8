public import PropertyList

/// The contents of the `Info.plist` of an extension or a containing app, checked and typed.
///
/// The keys are Apple's (Information Property List Key Reference, App Extension Keys). Two dictionaries of the manifest
/// are this project's own: `Entitlements`, which on other systems is part of the signature, and `Annex`.
public struct Manifest: Sendable, Hashable {
  /// What a manifest describes, by its `CFBundlePackageType`.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A containing app: `CFBundlePackageType` is `APPL`.
    case app = "APPL"
    /// An extension: `CFBundlePackageType` is `XPC!`.
    case appExtension = "XPC!"
  }

  /// Whether this is an extension or a containing app.
  public internal(set) var kind: Kind
  /// The bundle identifier (`CFBundleIdentifier`).
  public internal(set) var identifier: String
  /// `CFBundleExecutable`: a relative path without `..`; for a manifest with an ``interpreter``, the script; empty for an
  /// app without one.
  public internal(set) var executable: String
  /// The name for users (`CFBundleDisplayName`, else `CFBundleName`).
  public internal(set) var displayName: String?
  /// `CFBundleVersion`; `0` when absent.
  public internal(set) var version: BundleVersion
  /// The version for users (`CFBundleShortVersionString`).
  public internal(set) var shortVersion: String?
  /// The schemes in `CFBundleURLTypes`, in lower case; empty for extensions.
  public internal(set) var urlSchemes: [String] = []
  /// The types that `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations` add.
  public internal(set) var typeDeclarations: [TypeDeclaration] = []

  /// `NSExtensionPointIdentifier`; ``ExtensionPoint/containingApp`` for an app.
  public internal(set) var point: ExtensionPoint
  /// `NSExtensionPrincipalClass`. Optional here, since the executable itself speaks the protocol.
  public internal(set) var principalClass: String?
  /// `NSExtensionMainStoryboard`: a hint that the extension has a user interface. Not together with a principal class.
  public internal(set) var mainStoryboard: String?
  /// The attributes of the extension point (`NSExtensionAttributes`).
  public internal(set) var attributes: [String: PropertyListValue] = [:]
  /// `NSExtensionActivationRule` as it stands: a dictionary or a predicate.
  public internal(set) var activationRule: PropertyListValue?

  /// The app groups (`Entitlements["com.apple.security.application-groups"]`).
  public internal(set) var appGroups: [String] = []
  /// `Annex.Entitlements`: the features that the extension uses, by method prefix (`content`, `defaults`).
  public internal(set) var entitlements: [String] = []
  /// `Annex.Content`: the persisted queries that the extension may run; `nil` when the manifest names none, and then it
  /// may run every one.
  public internal(set) var contentQueries: [ContentQueryPattern]?
  /// `Annex.Network`: the servers that the extension may ask through the host, once its user agrees.
  public internal(set) var networkHosts: [NetworkServer] = []
  /// `Annex.Auth`: the access tokens that the extension wants, once its user agrees.
  public internal(set) var authEntries: [AuthEntry] = []
  /// `Annex.DataConnect`: the connectors that the extension may ask, once its user agrees.
  public internal(set) var dataConnectors: [DataConnectorEntry] = []
  /// `Annex.Identity`: where the users of a containing app sign in; `nil` for what the host is configured for.
  public internal(set) var identity: Identity?
  /// What the user has to agree to, in the order of ``PermissionKind/all``.
  public internal(set) var askedPermissions: [AskedPermission] = []
  /// `Annex.ExtensionSafe`: paths, relative to the bundle, of shared libraries that their makers call safe for use in
  /// extensions.
  public internal(set) var extensionSafeLibraries: [String] = []
  /// The framing of messages (`Annex.Framing`).
  public internal(set) var framing: Framing = .lines
  /// `Annex.Interpreter`: the program that runs ``executable`` as a script, by an absolute path or one below the bundle.
  public internal(set) var interpreter: String?
  /// The arguments of the interpreter before the script (`Annex.InterpreterArguments`).
  public internal(set) var interpreterArguments: [String] = []
  /// The folder that contains ``executable``, for a loose manifest (`Annex.Products`); absolute, or relative to the
  /// manifest.
  public internal(set) var products: String?
  /// The ceilings that the manifest lowers (`Annex.Limits`).
  public internal(set) var limits = Limits()

  /// The whole manifest, unknown keys included.
  public internal(set) var raw: [String: PropertyListValue]

  init(
    kind: Kind, identifier: String, executable: String, version: BundleVersion, point: ExtensionPoint,
    raw: [String: PropertyListValue]
  ) {
    self.kind = kind
    self.identifier = identifier
    self.executable = executable
    self.version = version
    self.point = point
    self.raw = raw
  }
}

extension Manifest {
  /// The way in which messages are separated on the pipe.
  public enum Framing: String, Sendable, Hashable, Codable, CaseIterable {
    /// One message is one line.
    case lines
    /// `Content-Length` headers before each message, as the Language Server Protocol has them.
    case contentLength = "content-length"
  }

  /// Bounds that an extension sets for itself. Each can only lower what the host allows; `nil` leaves it alone.
  public struct Limits: Sendable, Hashable {
    /// `MemoryMiB`: memory in MiB.
    public internal(set) var memoryMiB: Int?
    /// `Threads`: threads at one time.
    public internal(set) var threads: Int?
    /// `Descriptors`: open file descriptors.
    public internal(set) var descriptors: Int?
    /// `FileMiB`: the size of one file in MiB.
    public internal(set) var fileMiB: Int?
    /// `ContainerMiB`: the size of the container in MiB.
    public internal(set) var containerMiB: Int?
    /// `ContainerFiles`: files and folders in the container.
    public internal(set) var containerFiles: Int?
    /// `CPUSeconds`: processor time of one request in seconds.
    public internal(set) var cpuSeconds: Int?

    /// Creates limits that lower nothing.
    public init() {}
  }

  /// A uniform type identifier that a manifest declares.
  public struct TypeDeclaration: Sendable, Hashable {
    /// The identifier of the type (`UTTypeIdentifier`).
    public let identifier: String
    /// The types that it conforms to (`UTTypeConformsTo`).
    public let conformsTo: [String]
    /// The filename extensions without dots (`UTTypeTagSpecification["public.filename-extension"]`).
    public let filenameExtensions: [String]
    /// The MIME types (`UTTypeTagSpecification["public.mime-type"]`).
    public let mimeTypes: [String]
  }
}
