public import ExtensionProtocol
public import JSON

extension DataContract {
  /// The result of an operation; it is partial when it has both errors and data.
  public struct Outcome: Codable, Sendable, Hashable {
    /// An object, of which fields that failed are null; absent when there is none.
    public var data: JSONValue?
    /// The errors of single fields; absent when there are none.
    public var errors: [FieldError]?
    /// Whether the data comes from the server or the cache.
    public var source: Source

    /// Answers with a result.
    public init(data: JSONValue?, errors: [FieldError]? = nil, source: Source = .server) {
      self.data = data
      self.errors = errors
      self.source = source
    }
  }

  /// `data/execute`: executes an operation of a connector once.
  public struct Execute: RemoteMethod {
    /// The wire name; extensions call it. A connector that the manifest does not name, and a mutation of one that it names
    /// with `:read`, is `permissionDenied`; when there is no response at all it is `dataFailed`.
    public static let method = "data/execute"
    /// The response.
    public typealias Result = Outcome

    /// `service/connector`, as the manifest names it.
    public var connector: String
    /// The name of the operation, as the connector's files write it.
    public var operation: String
    /// Whether the operation reads or writes.
    public var kind: Kind
    /// The variables that are set.
    public var variables: JSONObject?
    /// Where a query's result may come from; absent means `preferCache`.
    public var fetchPolicy: FetchPolicy?
    /// How the result is kept; absent keeps nothing.
    public var cache: Cache?
    /// Where the service runs, such as `us-east4`; what the host is configured for when absent.
    public var location: String?
    /// In place of the server that the host is configured for, where its configuration allows that.
    public var emulator: Emulator?
    /// The `id` or `username` of an account of `auth/accounts`, where several are signed in.
    public var account: String?

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - connector: `service/connector`.
    ///   - cache: how the result is cached; `nil` caches nothing.
    ///   - location: the service's location; `nil` for the host's configuration.
    ///   - account: an id or a user name; `nil` for the only account, or for no user.
    ///   - account: `nil` for the only account there is, or nobody.
    public init(
      connector: String, operation: String, kind: Kind, variables: JSONObject? = nil, fetchPolicy: FetchPolicy? = nil,
      cache: Cache? = nil, location: String? = nil, emulator: Emulator? = nil, account: String? = nil
    ) {
      self.connector = connector
      self.operation = operation
      self.kind = kind
      self.variables = variables
      self.fetchPolicy = fetchPolicy
      self.cache = cache
      self.location = location
      self.emulator = emulator
      self.account = account
    }
  }

  /// `data/subscribe`: the result of a query, and another one whenever it changes.
  public struct Subscribe: RemoteMethod {
    /// The wire name; extensions call it. Refused as `data/execute` is.
    public static let method = "data/subscribe"

    /// The stream of results.
    public struct Result: Codable, Sendable, Hashable {
      /// The `streamID` of a stream of the host's. Each value is an ``Outcome``. An outcome of more than 60 KiB is sent
      /// as the value `{"bytes": N}`, followed by N bytes of its text. The value null is sent after ten seconds without
      /// a result, to show that the subscription is alive. A slow reader receives only the newest result. Dropping the
      /// stream ends the subscription; the host ends it when the user withdraws the permission, signs out, or signs in
      /// as another user.
      public var stream: String

      /// Answers with a stream.
      public init(stream: String) { self.stream = stream }
    }

    /// `service/connector`, as the manifest names it.
    public var connector: String
    /// The name of the query, as the connector's files write it.
    public var operation: String
    /// The variables that are set.
    public var variables: JSONObject?
    /// How results are cached; absent caches nothing.
    public var cache: Cache?
    /// Where the service runs, such as `us-east4`; what the host is configured for when absent.
    public var location: String?
    /// In place of the server that the host is configured for, where its configuration allows that.
    public var emulator: Emulator?
    /// The `id` or `username` of an account of `auth/accounts`, where several are signed in.
    public var account: String?

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - connector: `service/connector`.
    ///   - cache: how results are cached; `nil` caches nothing.
    ///   - location: the service's location; `nil` for the host's configuration.
    ///   - account: an id or a user name; `nil` for the only account, or for no user.
    public init(
      connector: String, operation: String, variables: JSONObject? = nil, cache: Cache? = nil, location: String? = nil,
      emulator: Emulator? = nil, account: String? = nil
    ) {
      self.connector = connector
      self.operation = operation
      self.variables = variables
      self.cache = cache
      self.location = location
      self.emulator = emulator
      self.account = account
    }
  }

  /// `data/connectors`: the connectors that the extension's manifest names.
  public struct Connectors: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "data/connectors"

    /// A connector of a service.
    public struct Connector: Codable, Sendable, Hashable {
      /// The service, as `dataconnect.yaml` calls it.
      public var service: String
      /// The connector, as `connector.yaml` calls it.
      public var connector: String
      /// Where the host is configured to find the service; absent when the caller has to say it.
      public var location: String?

      /// Names a connector.
      public init(service: String, connector: String, location: String? = nil) {
        self.service = service
        self.connector = connector
        self.location = location
      }
    }

    /// The connectors.
    public struct Result: Codable, Sendable, Hashable {
      /// In the order of the manifest.
      public var connectors: [Connector]

      /// Lists connectors.
      public init(connectors: [Connector]) { self.connectors = connectors }
    }

    /// Creates empty params.
    public init() {}
  }
}
