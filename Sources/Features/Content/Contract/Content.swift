public import ExtensionProtocol
public import JSON

/// `content/…`: AEM Headless content by persisted query, and its pictures.
public enum Content: ServiceContract {
  /// The prefix of the methods, and the entitlement that an extension needs for them.
  public static let name = "content"
  /// Open to every extension point with the entitlement `content`; to a keyboard only with open access. `Annex.Content`
  /// in a manifest narrows the queries.
  public static let methods: [any RemoteMethod.Type] = [Execute.self, Image.self]
  /// Every extension point, with the entitlement `content`.
  public static let access = [
    Allowlist.Row(
      "content/*", nil, "content", "The host fetches AEM content; name \"content\" among the entitlements.")
  ]

  /// Where an answer or a picture comes from.
  public enum Source: String, Codable, Sendable, CaseIterable {
    /// The server, just now.
    case network
    /// The cache, while the entry is fresh.
    case cache
    /// The cache, after the server said that it still holds.
    case revalidated
    /// The cache, beyond its time, since the server does not answer.
    case stale
  }

  /// An error in a partial answer (GraphQL, 7.1.2).
  public struct QueryError: Codable, Sendable, Equatable {
    /// The server's message: escape it before you print it.
    public var message: String
    /// From the data to the field that failed: names, and indices from 0. Absent when the error is of no field.
    public var path: [JSONValue]?
    /// Whatever else the server says, for example `classification`.
    public var extensions: JSONObject?

    /// Creates an error; only the message is needed.
    public init(message: String, path: [JSONValue]? = nil, extensions: JSONObject? = nil) {
      self.message = message
      self.path = path
      self.extensions = extensions
    }
  }
}

extension Content {
  /// `content/execute`: runs a persisted query, or uses the cache while it is fresh.
  public struct Execute: RemoteMethod {
    /// The wire name; extensions call it. AEM being down, or an answer that is no data, is `contentFailed`; a query that
    /// the manifest does not name is `permissionDenied`.
    public static let method = "content/execute"

    /// The answer of the server or of the cache.
    public struct Result: Codable, Sendable, Equatable {
      /// The `data` member of the GraphQL answer.
      public var data: JSONValue
      /// The errors of the server in a partial answer.
      public var errors: [QueryError]?
      /// The status of the server's answer when it came.
      @NonNegative<Int> public var httpStatus: Int
      /// Whether the answer comes from the server or the cache.
      public var source: Source
      /// Seconds since the answer left its server.
      @NonNegative<Int> public var ageSeconds: Int

      /// Creates an answer.
      ///
      /// - Parameters:
      ///   - errors: only for a partial answer; `nil` when everything was found.
      ///   - httpStatus: of the server's answer when it came.
      ///   - ageSeconds: since it left its server.
      public init(
        data: JSONValue, errors: [QueryError]? = nil, httpStatus: Int = 200, source: Source, ageSeconds: Int = 0
      ) {
        self.data = data
        self.errors = errors
        self.httpStatus = httpStatus
        self.source = source
        self.ageSeconds = ageSeconds
      }
    }

    /// `configuration/query`, for example `wknd-shared/adventures-all`.
    public var query: String
    /// The variables, in the order in which the URL contains them.
    public var variables: JSONObject?
    /// Whether the server is to answer, or to confirm what the cache has; a failure is a failure then.
    public var refresh: Bool?

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - query: `configuration/query`; the host refuses anything else with `invalidParams`.
    ///   - variables: `nil` for a query without any.
    ///   - refresh: `true` asks the server, whatever the cache has.
    public init(query: String, variables: JSONObject? = nil, refresh: Bool? = nil) {
      self.query = query
      self.variables = variables
      self.refresh = refresh
    }
  }
}
