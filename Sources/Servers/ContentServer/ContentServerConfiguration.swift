package import HTTPServer
package import JSONRPC

extension ContentServer {
  /// How the server behaves.
  package struct Configuration: Sendable {
    /// Who may ask. Holds for queries and images alike.
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
    /// A directory with `adventures.json` (an array of adventures in wire form) and the images at their paths; nil
    /// serves the adventures that are compiled in.
    package var root: String?
    package var authentication: Authentication
    /// Whether to behave as an author instance: shorter caching, none for images.
    package var isAuthor: Bool
    /// Whether images have a `_dynamicUrl`: a local AEM has none, the cloud service has.
    package var hasDynamicURLs: Bool
    /// `max-age` of query results, in seconds; nil takes that of AEM (60).
    package var maximumAge: Int?
    /// What goes wrong instead of the answer to a query, by the path of the query ("wknd-shared/adventures-all").
    package var fault: @Sendable (_ query: String) async -> ContentFault?

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

/// What a real server does on a bad day; for tests.
package enum ContentFault: Sendable {
  /// Any response instead.
  case response(ServerResponse)
  /// Status 200 with `errors` and `data: null`.
  case errors(String)
  /// Status 200 with the data and an error besides.
  case partial(String)
  /// The data after a change, such as a removed field.
  case changed(@Sendable (JSONValue) -> JSONValue)

  /// The page that AEM shows in place of an answer when a session is missing: status 200 and HTML.
  package static let loginPage = ContentFault.response(
    ServerResponse(
      text: "<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>",
      contentType: "text/html;charset=utf-8"))
}
