public import ExtensionProtocol
public import JSON

/// `data/…`: operations of Data Connect, which the host sends to the server as the signed-in user.
///
/// The type does not have the name of its prefix, because every author who imports Foundation already has a `Data`.
public enum DataContract: ServiceContract {
  /// The prefix of the methods, and the permission that the user has to grant.
  public static let name = "data"
  /// Open to every extension point with the permission `data`; a keyboard needs open access too.
  public static let methods: [any RemoteMethod.Type] = [Execute.self, Subscribe.self, Connectors.self]
  /// Every extension point, with the permission `data`.
  public static let access = [
    Allowlist.Row(
      "data/*", nil, nil, permissions: ["data"],
      "The host asks the server, for the connectors that Annex.DataConnect names; the user has to agree.")
  ]

  /// The most bytes of a result, as JSON.
  public static let resultLimit = 3 << 20
  /// The most bytes of an update of a subscription, as JSON.
  public static let updateLimit = 16 << 20

  /// The kinds of operation.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The operation reads.
    case query
    /// The operation writes.
    case mutation
  }

  /// Where the result of a query may come from.
  public enum FetchPolicy: String, Codable, Sendable, CaseIterable {
    /// The cached result while it is fresh, otherwise the server's.
    case preferCache
    /// The cached result, fresh or not; the outcome has no data when nothing is cached.
    case cacheOnly
    /// The server.
    case serverOnly
  }

  /// Where a result comes from.
  public enum Source: String, Codable, Sendable, CaseIterable {
    /// The server has answered.
    case server
    /// The result was cached.
    case cache
  }

  /// A server of a developer on this machine.
  public struct Emulator: Codable, Sendable, Hashable {
    /// A loopback address, or `localhost`.
    public var host: String
    /// From 1 to 65535.
    @Exact<Int> public var port: Int

    /// Names an emulator.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// How results of a connector are kept, by the host.
  public struct Cache: Codable, Sendable, Hashable {
    /// Where results are cached.
    public enum Storage: String, Codable, Sendable, CaseIterable {
      /// In a file that survives the host.
      case persistent
      /// In memory, until the host exits.
      case memory
    }

    /// `persistent` when absent.
    public var storage: Storage?
    /// How old a result may be so that the server is not asked, in milliseconds; 0 when absent.
    @NonNegative<Int?> public var maxAgeMs: Int?
    /// How much is kept, in bytes; what the host allows when absent.
    @NonNegative<Int?> public var maxBytes: Int?

    /// Keeps results.
    ///
    /// - Parameters:
    ///   - maxAgeMs: milliseconds.
    ///   - maxBytes: `nil` for what the host allows.
    public init(storage: Storage? = nil, maxAgeMs: Int? = nil, maxBytes: Int? = nil) {
      self.storage = storage
      self.maxAgeMs = maxAgeMs
      self.maxBytes = maxBytes
    }
  }

  /// An error in one field of a result.
  public struct FieldError: Codable, Sendable, Hashable {
    /// The server's message: escape it before you print it.
    public var message: String
    /// From the data to the field that failed: names, and indices from 0. Absent when the error is of no field.
    public var path: [JSONValue]?
    /// Whatever else the server says, for example `code`.
    public var extensions: JSONObject?

    /// Creates an error; only the message is needed.
    public init(message: String, path: [JSONValue]? = nil, extensions: JSONObject? = nil) {
      self.message = message
      self.path = path
      self.extensions = extensions
    }
  }
}
