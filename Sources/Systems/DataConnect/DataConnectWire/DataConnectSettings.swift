/// The server that a client connects to, and its cache.
public struct DataConnectSettings: Sendable, Hashable {
  /// The name or address of the server.
  public let host: String
  /// The port of the server.
  public let port: Int
  /// Whether the connection is encrypted.
  public let sslEnabled: Bool
  /// How results are kept; `nil` when they are not.
  public let cacheSettings: CacheSettings?

  /// A server, by default the public one.
  public init(
    host: String = "firebasedataconnect.googleapis.com", port: Int = 443, sslEnabled: Bool = true,
    cacheSettings: CacheSettings? = nil
  ) {
    self.host = host
    self.port = port
    self.sslEnabled = sslEnabled
    self.cacheSettings = cacheSettings
  }
}

/// How the client caches results.
public struct CacheSettings: Sendable, Hashable {
  /// Where the client caches results.
  public enum Storage: Sendable, Hashable {
    /// In a file that survives the process.
    case persistent
    /// In memory, until the process exits.
    case memory
  }

  /// Where the client caches results.
  public let storage: Storage
  /// How old a result may be so that the server is not asked.
  public let maxAge: Duration
  /// How much is kept, in bytes; `nil` for as much as the host allows.
  public let maxSize: Int?

  /// A cache, by default on the disk, with every result stale at once.
  public init(storage: Storage = .persistent, maxAge: Duration = .zero, maxSize: Int? = nil) {
    self.maxSize = maxSize
    self.storage = storage
    self.maxAge = maxAge
  }

  /// A cache with an age in seconds, from 0 to a year, as Firebase's SDK has it.
  public init(storage: Storage = .persistent, maxAge seconds: Double, maxSize: Int? = nil) {
    let seconds = seconds.isFinite ? min(max(seconds, 0), 31_536_000) : 0
    self.init(storage: storage, maxAge: .milliseconds(Int64(seconds * 1_000)), maxSize: maxSize)
  }
}

/// The kind of code that creates a client.
public enum CallerSDKType: Sendable, Hashable {
  /// A program's own code.
  case base
  /// A generated package.
  case generated
}
