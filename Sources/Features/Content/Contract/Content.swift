public import ExtensionProtocol
public import JSONRPC

/// `content/…`: AEM Headless content by persisted query.
public enum Content: ServiceContract {
  /// The prefix of the method, and the entitlement that an extension needs for it.
  public static let name = "content"
  /// Open to every extension point with the entitlement `content`; to a keyboard only with open access.
  public static let methods: [any RemoteMethod.Type] = [Execute.self]
  /// Every extension point, with the entitlement `content`.
  public static let access = [
    Allowlist.Row(
      "content/*", nil, "content", "The host fetches AEM content; name \"content\" among the entitlements.")
  ]

  /// `content/execute`: runs a persisted query, from the cache where it is fresh.
  public struct Execute: RemoteMethod {
    /// The wire name; extensions call it. AEM being down, or an answer that is no data, is `contentFailed`.
    public static let method = "content/execute"

    /// The answer of the server or of the cache.
    public struct Result: Codable, Sendable, Equatable {
      /// The `data` member of the GraphQL answer.
      public var data: JSONValue
      /// The `errors` member, when the answer was partial.
      public var errors: JSONValue?
      /// `network`, `cache`, `revalidated` or `stale`.
      public var source: String
      /// Seconds since the answer left its server.
      @NonNegative<Int> public var ageSeconds: Int

      /// Makes an answer.
      ///
      /// - Parameters:
      ///   - errors: only for a partial answer; `nil` when everything was found.
      ///   - source: `network`, `cache`, `revalidated` or `stale`.
      public init(data: JSONValue, errors: JSONValue? = nil, source: String, ageSeconds: Int) {
        self.data = data
        self.errors = errors
        self.source = source
        self.ageSeconds = ageSeconds
      }
    }

    /// `configuration/query`, for example `wknd-shared/adventures-all`.
    public var query: String
    /// In the order in which they stand in the URL.
    public var variables: JSONObject?

    /// Makes the params.
    ///
    /// - Parameters:
    ///   - query: `configuration/query`; the host refuses anything else with `invalidParams`.
    ///   - variables: `nil` for a query without any.
    public init(query: String, variables: JSONObject? = nil) {
      self.query = query
      self.variables = variables
    }
  }
}
