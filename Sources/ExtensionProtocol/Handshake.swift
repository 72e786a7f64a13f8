public import JSONRPC

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
  public var name: String
  public var version: String?
  /// The programming language, for an extension's library.
  public var language: String?

  public init(name: String, version: String? = nil, language: String? = nil) {
    self.name = name
    self.version = version
    self.language = language
  }
}

/// `initialize`: the first request of a host. An extension answers with the version it chose, and may send nothing else
/// before ``Initialized``.
public struct Initialize: RemoteMethod {
  public static let method = "initialize"

  /// Who the extension is, as the host knows it from the manifest.
  public struct Identity: Codable, Sendable, Equatable {
    public var id: String
    public var version: String?
    public var point: ExtensionPoint
    public var containingApp: String?

    public init(id: String, version: String?, point: ExtensionPoint, containingApp: String?) {
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
      public var path: String
      /// `ro` or `rw`.
      public var mode: String

      public init(path: String, mode: String) {
        self.path = path
        self.mode = mode
      }
    }

    /// Gone when the process ends; read and write.
    public var scratch: String
    /// The extension's own; stays; read and write.
    public var container: String
    /// By group identifier.
    public var groups: [String: Group]

    public init(scratch: String, container: String, groups: [String: Group]) {
      self.scratch = scratch
      self.container = container
      self.groups = groups
    }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// One of the versions that the host offered.
    public var protocolVersion: String
    public var sdk: Peer?
    public var capabilities: [String: JSONValue]?
    public var principalClass: String?

    public init(
      protocolVersion: String, sdk: Peer? = nil, capabilities: [String: JSONValue]? = nil, principalClass: String? = nil
    ) {
      self.protocolVersion = protocolVersion
      self.sdk = sdk
      self.capabilities = capabilities
      self.principalClass = principalClass
    }
  }

  /// The versions that the host speaks, newest first.
  public var protocolVersions: [String]
  public var host: Peer
  public var `extension`: Identity
  public var capabilities: [String: JSONValue]
  /// Permission name to `granted`, `denied` or `undecided`.
  public var permissions: [String: String]
  /// Limit name to value, for example `memoryMiB`.
  public var limits: [String: Int64]
  /// BCP 47, for example `en-US`.
  public var locale: String
  public var directories: Directories

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

  /// Only the versions are required of a host.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    protocolVersions = try container.decode([String].self, forKey: .protocolVersions)
    host = try container.decodeIfPresent(Peer.self, forKey: .host) ?? Peer(name: "host")
    let unknown = Identity(id: "", version: nil, point: ExtensionPoint(rawValue: ""), containingApp: nil)
    `extension` = try container.decodeIfPresent(Identity.self, forKey: .extension) ?? unknown
    capabilities = try container.decodeIfPresent([String: JSONValue].self, forKey: .capabilities) ?? [:]
    permissions = try container.decodeIfPresent([String: String].self, forKey: .permissions) ?? [:]
    limits = try container.decodeIfPresent([String: Int64].self, forKey: .limits) ?? [:]
    locale = try container.decodeIfPresent(String.self, forKey: .locale) ?? "en-US"
    let nowhere = Directories(scratch: "", container: "", groups: [:])
    directories = try container.decodeIfPresent(Directories.self, forKey: .directories) ?? nowhere
  }
}

/// `initialized`: requests may start.
public struct Initialized: RemoteNotification {
  public static let method = "initialized"
  public init() {}
}

/// `terminate`: the host is about to close the extension's standard input and to end the process.
public struct Terminate: RemoteMethod {
  public typealias Result = Empty
  public static let method = "terminate"

  /// `idle`, `update`, `memory`, `quit`, `timeout`, `policy` or `host`.
  public var reason: String
  /// Milliseconds until the process is killed.
  public var graceMs: Int

  public init(reason: String, graceMs: Int) {
    self.reason = reason
    self.graceMs = graceMs
  }
}

/// `$/ping`: both directions.
public struct Ping: RemoteMethod {
  public static let method = "$/ping"

  public struct Result: Codable, Sendable, Equatable {
    public var nonce: JSONValue?
    /// Milliseconds since the peer started, by its own clock.
    public var uptimeMs: Int64

    public init(nonce: JSONValue?, uptimeMs: Int64) {
      self.nonce = nonce
      self.uptimeMs = uptimeMs
    }
  }

  public var nonce: JSONValue?
  public init(nonce: JSONValue? = nil) { self.nonce = nonce }
}

/// `$/progress`, both directions: work for a request goes on. It moves a soft deadline and a deadline that counts from the
/// last sign of life, never a hard one.
public struct Progress: RemoteNotification {
  public static let method = "$/progress"

  /// The `_meta.progressToken` of the call, or the request's identifier.
  public var token: JSONValue
  /// How much is done; rises.
  public var progress: Double
  public var total: Double?
  public var message: String?

  public init(token: JSONValue, progress: Double, total: Double? = nil, message: String? = nil) {
    self.token = token
    self.progress = progress
    self.total = total
    self.message = message
  }
}

/// `$/log`: a line for the host's log, at one of swift-log's seven levels.
public struct Log: RemoteNotification {
  public static let method = "$/log"

  public var level: LogLevel
  /// At most 16 KiB arrive.
  public var message: String
  public var fields: [String: JSONValue]?
  public var logger: String?

  public init(level: LogLevel, message: String, fields: [String: JSONValue]? = nil, logger: String? = nil) {
    self.level = level
    self.message = message
    self.fields = fields
    self.logger = logger
  }
}
