package import ContentRepository

extension ContentServer {
  /// How the server behaves.
  package struct Configuration: Sendable {
    /// Who may ask. Holds for queries and pictures alike.
    package enum Authentication: Sendable {
      case none
      /// `Authorization: Basic`, in ISO-8859-1 as Sling reads it.
      case basic(username: String, password: String)
      /// `Authorization: Bearer`.
      case token(String)
    }

    /// A port of this machine; 0 takes any free one. AEM listens at 4503 (publish) and 4502 (author).
    package var port: Int
    /// The address to listen at.
    package var host: String
    /// A folder of models, fragments, queries and pictures, read again when a file changes; nil serves the content that
    /// is compiled in.
    package var root: String?
    package var authentication: Authentication
    /// Whether to behave as an author instance: shorter caching, none for pictures.
    package var isAuthor: Bool
    /// Whether pictures have a `_dynamicUrl`: a local AEM has none, the cloud service has.
    package var hasDynamicURLs: Bool
    /// `max-age` of query results, in seconds; nil takes that of AEM (60), or of the query.
    package var maximumAge: Int?
    /// Whether answers say by their status that something failed (400, 500), as AEM can be told to; otherwise only to
    /// clients that accept `application/graphql-response+json`.
    package var respondsWithGraphQLStatus = false
    /// What goes wrong instead of the answer to a query, by the path of the query ("wknd-shared/adventures-all");
    /// "pictures" for pictures.
    package var fault: @Sendable (_ query: String) async -> ContentFault?
    /// Hears what is wrong with the folder after a file has changed, and of an empty list when all is well again.
    package var reloaded: @Sendable (_ problems: [ContentProblem]) -> Void = { _ in }

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
