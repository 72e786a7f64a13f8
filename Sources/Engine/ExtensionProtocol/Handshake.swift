public import JSON
import JSONRPC

/// The versions of the wire protocol, apart from the versions of any product.
public enum ProtocolVersion {
  /// What this build speaks, newest first.
  public static let supported = ["1.0"]

  /// The newest version that both sides speak, or `nil`.
  public static func negotiate(offered: [String], supported: [String] = supported) -> String? {
    supported.first { offered.contains($0) }
  }
}

/// A program's name and version.
public struct Peer: Codable, Sendable, Equatable {
  /// The name of the program, for people.
  public var name: String
  /// The version of the program, in any form.
  public var version: String?
  /// The programming language, for an extension's library.
  public var language: String?

  /// - Parameters:
  ///   - name: of the program, for people.
  ///   - version: in any form.
  ///   - language: the programming language, for an extension's library.
  public init(name: String, version: String? = nil, language: String? = nil) {
    self.name = name
    self.version = version
    self.language = language
  }
}

/// `initialize`: the first request of a host. An extension answers with the version it chose, and may send nothing else
/// before ``Initialized``.
public struct Initialize: RemoteMethod {
  /// The wire name.
  public static let method = "initialize"

  /// The identity of the extension, which the host knows from its manifest.
  public struct Identity: Codable, Sendable, Equatable {
    /// The bundle identifier.
    public var id: String
    /// The value of `CFBundleVersion`.
    public var version: String?
    /// The extension point that the process was started for.
    public var point: ExtensionPoint
    /// What the host speaks of the point's definition; a host that says nothing speaks ``PointVersion/first``.
    public var pointVersion: PointVersion?
    /// The bundle identifier of the app that contains the extension.
    public var containingApp: String?

    /// - Parameters:
    ///   - id: the bundle identifier.
    ///   - version: `CFBundleVersion`.
    ///   - point: what the process was started for.
    ///   - pointVersion: what the host speaks of the point's definition.
    ///   - containingApp: the bundle identifier of the app that contains the extension.
    public init(
      id: String, version: String?, point: ExtensionPoint, pointVersion: PointVersion? = nil, containingApp: String?
    ) {
      self.pointVersion = pointVersion
      self.id = id
      self.version = version
      self.point = point
      self.containingApp = containingApp
    }
  }

  /// Absolute paths that the sandbox lets the extension reach.
  public struct Directories: Codable, Sendable, Equatable {
    /// A shared container of an app group.
    public struct Group: Codable, Sendable, Equatable {
      /// The absolute path.
      public var path: String
      /// The access: `ro` for reading, `rw` for reading and writing.
      public var mode: String

      /// - Parameters:
      ///   - path: absolute.
      ///   - mode: `ro` or `rw`.
      public init(path: String, mode: String) {
        self.path = path
        self.mode = mode
      }
    }

    /// Gone when the process ends; read and write.
    public var scratch: String
    /// The extension's own; stays; read and write.
    public var container: String
    /// The shared folders by group identifier.
    public var groups: [String: Group]

    /// Creates the directories of an extension.
    ///
    /// - Parameters:
    ///   - scratch: a folder that is removed when the process ends.
    ///   - container: the extension's own folder, which is kept.
    ///   - groups: the shared folders by group identifier.
    public init(scratch: String, container: String, groups: [String: Group]) {
      self.scratch = scratch
      self.container = container
      self.groups = groups
    }
  }

  /// What an extension answers with. Only the version is required.
  public struct Result: Codable, Sendable, Equatable {
    /// One of the versions that the host offered.
    public var protocolVersion: String
    /// The library that the extension was written with.
    public var sdk: Peer?
    /// What the extension offers beyond the protocol version.
    public var capabilities: [String: JSONValue]?
    /// The type that serves the extension point, for logs.
    public var principalClass: String?
    /// What the extension speaks of its point's definition; one that says nothing speaks ``PointVersion/first``.
    public var pointVersion: PointVersion?

    /// - Parameters:
    ///   - protocolVersion: one of the versions that the host offered.
    ///   - sdk: the library that the extension was written with.
    ///   - capabilities: what the extension offers beyond the protocol version.
    ///   - principalClass: the type that serves the extension point, for logs.
    ///   - pointVersion: what the extension speaks of its point's definition.
    public init(
      protocolVersion: String, sdk: Peer? = nil, capabilities: [String: JSONValue]? = nil,
      principalClass: String? = nil, pointVersion: PointVersion? = nil
    ) {
      self.pointVersion = pointVersion
      self.protocolVersion = protocolVersion
      self.sdk = sdk
      self.capabilities = capabilities
      self.principalClass = principalClass
    }
  }

  /// The versions that the host speaks, newest first.
  public var protocolVersions: [String]
  /// The name and version of the host.
  public var host: Peer
  /// The identity of the extension.
  public var `extension`: Identity
  /// What the host offers beyond the protocol version.
  public var capabilities: [String: JSONValue]
  /// Permission name to `granted`, `denied` or `undecided`.
  public var permissions: [String: String]
  /// Limit name to value, for example `memoryMiB`.
  public var limits: [String: Int64]
  /// BCP 47, for example `en-US`.
  public var locale: String
  /// Where the extension may read and write.
  public var directories: Directories

  /// Creates the params of a handshake.
  ///
  /// - Parameters:
  ///   - protocolVersions: the versions that the host speaks, newest first.
  ///   - host: the host's name and version.
  ///   - extension: the identity of the extension.
  ///   - capabilities: what the host offers beyond the protocol version.
  ///   - permissions: permission name to `granted`, `denied` or `undecided`.
  ///   - limits: limit name to value.
  ///   - locale: the language tag of the user (BCP 47).
  ///   - directories: the folders that the extension may use.
  public init(
    protocolVersions: [String] = ProtocolVersion.supported, host: Peer, extension: Identity,
    capabilities: [String: JSONValue] = [:], permissions: [String: String] = [:], limits: [String: Int64] = [:],
    locale: String = "en-US", directories: Directories
  ) {
    self.protocolVersions = protocolVersions
    self.host = host
    self.extension = `extension`
    self.capabilities = capabilities
    self.permissions = permissions
    self.limits = limits
    self.locale = locale
    self.directories = directories
  }
}

/// `initialized`: requests may start.
public struct Initialized: RemoteNotification {
  /// The wire name.
  public static let method = "initialized"
  /// The notification has no params.
  public init() {}
}
