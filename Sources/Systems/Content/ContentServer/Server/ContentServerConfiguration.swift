package import ContentRepository
package import HTTPServer

extension ContentServer {
  /// The settings of a content server.
  package struct Configuration: Sendable {
    /// The credentials that the server demands, for queries and pictures alike.
    package enum Authentication: Sendable {
      case none
      /// `Authorization: Basic`, in ISO-8859-1 as Sling reads it.
      case basic(username: String, password: String)
      /// A bearer token in `Authorization: Bearer`.
      case token(String)
    }

    /// A port of this machine; 0 takes any free one. AEM listens at 4503 (publish) and 4502 (author).
    package var port: Int
    /// The address to listen at.
    package var host: String
    /// A folder of models, fragments, queries and pictures, read again when a file changes; nil serves the content that
    /// is compiled in.
    package var root: String?
    /// The credentials that clients have to send.
    package var authentication: Authentication
    /// Whether to behave as an author instance: shorter caching, none for pictures.
    package var isAuthor: Bool
    /// Whether pictures have a `_dynamicUrl`: a local AEM has none, the cloud service has.
    package var hasDynamicURLs: Bool
    /// `max-age` of query results, in seconds; nil takes that of AEM (60), or of the query.
    package var maximumAge: Int?
    /// Whether failures have the status 400 or 500, which AEM offers as a setting. Otherwise only clients that accept
    /// `application/graphql-response+json` receive such a status.
    package var respondsWithGraphQLStatus = false
    /// Returns the fault to inject for a query, or nil for the true answer. The argument is the query's path
    /// ("wknd-shared/adventures-all"), or "pictures" for pictures.
    package var fault: @Sendable (_ query: String) async -> ContentFault?
    /// Receives the problems of the folder after a file has changed; an empty list when the folder has none.
    package var reloaded: @Sendable (_ problems: [ContentProblem]) -> Void = { _ in }
    /// Whether `PUT` takes the place of a persisted query of that name; otherwise it is refused with 409, as AEM's clients
    /// expect.
    package var replacesQueries = false
    /// Which web pages may call the server, and whether extensions may.
    package var door = Door()
    /// Receives one line for each answered request; nil for none.
    package var requestLog: (@Sendable (_ line: String) -> Void)?

    /// Creates a configuration from the server's address, its content and its behaviour.
    package init(
      port: Int = 4503, host: String = "127.0.0.1", root: String? = nil, authentication: Authentication = .none,
      isAuthor: Bool = false, hasDynamicURLs: Bool = true, maximumAge: Int? = nil,
      fault: @escaping @Sendable (_ query: String) async -> ContentFault? = { _ in nil }
    ) {
      self.port = port
      self.host = host
      self.root = root
      self.authentication = authentication
      self.isAuthor = isAuthor
      self.hasDynamicURLs = hasDynamicURLs
      self.maximumAge = maximumAge
      self.fault = fault
    }
  }
}
