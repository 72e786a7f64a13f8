/// The requested scopes: those of OpenID Connect, and those of at most one resource.
struct ScopeRequest: Sendable, Equatable {
  static let standard = ["openid", "profile", "email", "offline_access"]
  /// The most bytes, and the most scopes.
  static let limit = 4_096

  /// The scopes of `standard` that were requested, in its order.
  var identity: [String]
  /// The resource; `nil` asks for the user's own information.
  var resource: ProtectedResource?
  /// Names without the audience, sorted; `.default` stands for all.
  var names: [String]

  /// - Throws: `invalid_scope` for unknown scopes, those of two resources, and those without consent.
  init(_ text: String, resources: [ProtectedResource]) throws(OAuthFailure) {
    guard text.utf8.count <= Self.limit else { throw .invalidScope("it is too long.") }
    var (identity, names): (Set<String>, Set<String>) = ([], [])
    var found: ProtectedResource?
    for scope in text.split(separator: " ") {
      if Self.standard.contains(String(scope)) {
        identity.insert(String(scope))
        continue
      }
      guard let (resource, name) = Self.find(scope, in: resources) else {
        throw .invalidScope("the scope \(Self.shown(scope)) is not known.")
      }
      if let found, found != resource {
        throw .invalidScope("it contains more than one resource.", code: 28_000)
      }
      guard !resource.unconsented.contains(name) else {
        throw OAuthFailure(
          "invalid_grant", 65_001, "The user has not consented to use the application with \(Self.shown(scope)).",
          suberror: "consent_required")
      }
      found = resource
      names.insert(name)
    }
    self.identity = Self.standard.filter { identity.contains($0) }
    self.names = names.sorted()
    resource = found
  }

  private static func find(
    _ scope: Substring, in resources: [ProtectedResource]
  ) -> (ProtectedResource, String)? {
    guard let slash = scope.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    // Behind the byte: the slash and a mark behind it are one Character.
    let (audience, name) = (scope[..<slash].lowercased(), scope[scope.utf8.index(after: slash)...].lowercased())
    guard let resource = resources.first(where: { $0.audience.lowercased() == audience }) else { return nil }
    if name == ".default" { return (resource, ".default") }
    let known = (resource.scopes + resource.unconsented).first { $0.lowercased() == name }
    return known.map { (resource, $0) }
  }

  /// Foreign text, cut and without what could break a sentence.
  private static func shown(_ text: Substring) -> String {
    "'" + text.prefix(80).map { $0.isASCII && $0 > " " && $0 != "'" ? $0 : "?" } + "'"
  }

  var isEmpty: Bool { identity.isEmpty && names.isEmpty }

  /// The scopes that an access token names.
  var granted: [String] {
    guard let resource else { return identity }
    return names.contains(".default") ? resource.scopes : names
  }

  /// The names of the response, with the audience.
  var text: String {
    guard let resource else { return identity.joined(separator: " ") }
    let named = names.contains(".default") ? resource.scopes + [".default"] : names
    return (named.map { "\(resource.audience)/\($0)" } + identity).joined(separator: " ")
  }

  /// Without all but the first scope of the resource.
  var reduced: ScopeRequest {
    var copy = self
    copy.names = Array(granted.prefix(resource == nil ? 0 : 1))
    return copy
  }

  /// The scopes of OpenID Connect of another besides.
  func adding(identityOf other: ScopeRequest) -> ScopeRequest {
    var copy = self
    copy.identity = Self.standard.filter { identity.contains($0) || other.identity.contains($0) }
    return copy
  }
}
