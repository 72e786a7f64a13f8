public import ExtensionProtocol
public import JSONRPC

/// `content/…`: AEM Headless content by persisted query.
public enum Content: ServiceContract {
  public static let name = "content"
  public static let methods: [any RemoteMethod.Type] = [Execute.self]
  public static let access = [
    Allowlist.Row(
      "content/*", nil, "content", "The host fetches AEM content; name \"content\" among the entitlements.")
  ]

  /// `content/execute`: runs a persisted query, from the cache where it is fresh.
  public struct Execute: RemoteMethod {
    public static let method = "content/execute"

    public struct Result: Codable, Sendable, Equatable {
      /// The `data` member of the GraphQL answer.
      public var data: JSONValue
      /// The `errors` member, when the answer was partial.
      public var errors: JSONValue?
      /// `network`, `cache`, `revalidated` or `stale`.
      public var source: String
      /// Seconds since the answer left its server.
      public var ageSeconds: Int

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

    public init(query: String, variables: JSONObject? = nil) {
      self.query = query
      self.variables = variables
    }
  }
}
