internal import HTTPClient
internal import JSON
internal import Synchronization
internal import Text

/// The endpoints of a server (OpenID Connect Discovery; RFC 8414).
struct ServerMetadata: Sendable, Equatable {
  var issuer: String
  var tokenEndpoint: String
  var authorizationEndpoint: String?
  var deviceAuthorizationEndpoint: String?
  var revocationEndpoint: String?
  /// Where the keys are that sign id tokens.
  var keysEndpoint: String?
  /// Whether clients prove themselves by fields of the form and not by Basic authentication, which is usual (OpenID
  /// Connect Discovery, 3).
  var wantsPostedSecret = false
  /// Whether the redirects of the server name it (RFC 9207).
  var namesIssuer = false

  /// Native authentication has its places by agreement.
  init(native configuration: IdentityConfiguration) {
    issuer = configuration.authority
    tokenEndpoint = configuration.authority + NativeRequest.Endpoint.token.rawValue
  }

  /// - Throws: `AuthError`, `invalidAnswer`, for a document of another issuer, and for places that would be asked without
  ///   encryption.
  init(_ reply: ServerReply, configuration: IdentityConfiguration) throws(AuthError) {
    let server = configuration.environment
    guard let issuer = reply.text("issuer") else {
      throw .invalidAnswer(reply, server: server, lacking: "issuer")
    }
    guard issuer == configuration.authority || issuer == configuration.authority + "/" else {
      throw AuthError(
        .invalidAnswer, "The server at \(configuration.authority) says that it is \(quotable(issuer)).",
        recovery: "Set the authority to the issuer, letter for letter.")
    }
    self.issuer = issuer
    guard let token = try Self.endpoint("token_endpoint", reply, configuration) else {
      throw .invalidAnswer(reply, server: server, lacking: "token_endpoint")
    }
    tokenEndpoint = token
    authorizationEndpoint = try Self.endpoint("authorization_endpoint", reply, configuration)
    deviceAuthorizationEndpoint = try Self.endpoint("device_authorization_endpoint", reply, configuration)
    revocationEndpoint = try Self.endpoint("revocation_endpoint", reply, configuration)
    keysEndpoint = try Self.endpoint("jwks_uri", reply, configuration)
    let methods = reply.strings("token_endpoint_auth_methods_supported")
    wantsPostedSecret = methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
    namesIssuer = reply.flag("authorization_response_iss_parameter_supported")
  }

  /// Reads issuer and keys of a server with native authentication. The issuer may have another host than the authority:
  /// the document comes from the authority itself.
  init(signingFor configuration: IdentityConfiguration, _ reply: ServerReply) throws(AuthError) {
    self.init(native: configuration)
    guard let issuer = reply.text("issuer") else {
      throw .invalidAnswer(reply, server: configuration.environment, lacking: "issuer")
    }
    self.issuer = issuer
    keysEndpoint = try Self.endpoint("jwks_uri", reply, configuration)
  }

  private static func endpoint(
    _ name: String, _ reply: ServerReply, _ configuration: IdentityConfiguration
  ) throws(AuthError) -> String? {
    guard let url = reply.text(name, most: 2_048) else { return nil }
    guard let origin = HTTPOrigin(url: url), !url.contains("#"),
      origin.scheme == "https" || (origin.isLoopback && configuration.isLoopback)
    else {
      throw AuthError(
        .invalidAnswer, "\(configuration.environment) names \(quotable(url)) as \(name), which is not used.",
        recovery: "Have the server name an address with https.")
    }
    return url
  }
}

extension TokenBroker {
  /// Returns the endpoints of the server. The first call requests them; later calls return the stored ones.
  func endpoints() async throws(AuthError) -> ServerMetadata {
    if configuration.kind == .native { return ServerMetadata(native: configuration) }
    if let discovered { return discovered }
    let found = try await ServerMetadata.discover(exchange())
    discovered = found
    postsSecret.withLock { $0 = found.wantsPostedSecret }
    return found
  }
}

extension ServerMetadata {
  /// Asks at the place of OpenID Connect, and where that has nothing at that of OAuth.
  static func discover(_ exchange: AuthExchange) async throws(AuthError) -> ServerMetadata {
    let authority = exchange.configuration.authority
    let first = try await exchange.get(authority + "/.well-known/openid-configuration")
    if first.isSuccess, first.text("issuer") != nil {
      return try ServerMetadata(first, configuration: exchange.configuration)
    }
    guard (400..<500).contains(first.status) else { throw exchange.error(first, purpose: .discovery) }
    // RFC 8414, 3: between the host and the path.
    let parts = authority.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let host = parts.prefix(3).joined(separator: "/")
    let path = parts.count > 3 ? "/\(parts[3])" : ""
    let second = try await exchange.get("\(host)/.well-known/oauth-authorization-server\(path)")
    guard second.isSuccess else { throw exchange.error(second, purpose: .discovery) }
    return try ServerMetadata(second, configuration: exchange.configuration)
  }
}
