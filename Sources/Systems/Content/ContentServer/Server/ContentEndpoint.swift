import Text

/// What a path of the server leads to.
enum ContentEndpoint: Equatable {
  /// `/graphql/execute.json`, and what follows.
  case execute(suffix: String)
  /// `/graphql/persist.json`, and what follows.
  case persist(suffix: String)
  /// `/graphql/list.json`, and what follows.
  case list(suffix: String)
  /// A text to execute; `nil` is the endpoint of all models.
  case adHoc(configuration: String?)
  /// The types of an endpoint.
  case schema(configuration: String?)
  /// A `_dynamicUrl`: the identifier of an asset, and the name that the URL gives it.
  case rendition(identifier: String, name: String)
  /// The login page, which requests without a session are redirected to.
  case loginPage
  /// A path of the repository.
  case asset(path: String)

  static let loginPath = "/libs/granite/core/content/login.html"
  private static let delivery = "/adobe/dynamicmedia/deliver/dm-aid--"
  /// As AEM spells the node, as a URL may not hold a colon, and as the public clients write it.
  private static let graphQLFolders: Set<String> = ["cq:graphql", "_cq_graphql", "graphql"]

  /// - Parameter path: decoded. Several slashes at its beginning are one: a base URL may end with one.
  init(path: String) {
    let path = "/" + path.drop { $0 == "/" }
    if let suffix = Self.suffix(of: path, behind: "/graphql/execute.json") {
      self = .execute(suffix: suffix)
    } else if let suffix = Self.suffix(of: path, behind: "/graphql/persist.json") {
      self = .persist(suffix: suffix)
    } else if let suffix = Self.suffix(of: path, behind: "/graphql/list.json") {
      self = .list(suffix: suffix)
    } else if let endpoint = Self.graphQL(path) {
      self = endpoint
    } else if path == Self.loginPath {
      self = .loginPage
    } else if path.hasPrefix(Self.delivery) {
      let parts = path.dropFirst(Self.delivery.count).pathParts(keepsEmpty: true)
      self = .rendition(
        identifier: String(parts.first ?? ""), name: parts.count > 1 ? String(parts[parts.count - 1]) : "")
    } else {
      self = .asset(path: path)
    }
  }

  private static func suffix(of path: String, behind endpoint: String) -> String? {
    guard path.hasPrefix(endpoint) else { return nil }
    let rest = path.dropFirst(endpoint.count)
    return rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix(";") ? String(rest) : nil
  }

  /// `/content/cq:graphql/{configuration}/endpoint.json`, or `.GQLschema`.
  private static func graphQL(_ path: String) -> ContentEndpoint? {
    let parts = path.pathParts().map { String($0) }
    guard parts.count == 4, parts[0] == "content", graphQLFolders.contains(parts[1]) else { return nil }
    let configuration = parts[2] == "global" ? nil : parts[2]
    switch parts[3] {
    case "endpoint.json", "endpoint": return .adHoc(configuration: configuration)
    case "endpoint.GQLschema": return .schema(configuration: configuration)
    default: return nil
    }
  }
}
