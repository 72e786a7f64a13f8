package import ConfigurationFiles
import Time

extension TokenBroker {
  /// Signs in by user name and password in one request (RFC 6749, 4.3), where the server allows that.
  ///
  /// - Throws: `AuthError`.
  package func signIn(
    username: String, password: Secret, scopes: ScopeList = .standard
  ) async throws(AuthError) -> Account {
    guard configuration.kind == .openIDConnect else {
      throw AuthError(
        .notSupported, "\(configuration.environment) has native authentication, which goes step by step.",
        recovery: "Begin a sign-in flow.")
    }
    let endpoints = try await endpoints()
    var form: FormFields = ["grant_type": "password", "username": username, "client_id": configuration.clientID]
    form["password"] = password
    form["scope"] = Secret(scopes.union(.standard).names.joined(separator: " "))
    return try await redeem(form, at: endpoints, purpose: .password, username: username, asked: scopes)
  }

  /// Sends a grant to the token endpoint, and stores the tokens of the answer.
  ///
  /// - Parameter nonce: the value that the id token has to contain.
  func redeem(
    _ form: FormFields, at endpoints: ServerMetadata, purpose: RequestPurpose, username: String? = nil,
    asked: ScopeList, nonce: Secret? = nil
  ) async throws(AuthError) -> Account {
    let exchange = exchange()
    let reply = try await exchange.post(form, to: endpoints.tokenEndpoint)
    guard reply.isSuccess else { throw exchange.error(reply, purpose: purpose, sent: form) }
    return try await keep(
      try TokenGrant(reply, server: exchange.server), at: endpoints, username: username, asked: asked, nonce: nonce)
  }

  func keep(
    _ grant: TokenGrant, at endpoints: ServerMetadata, username: String?, asked: ScopeList, nonce: Secret? = nil
  ) async throws(AuthError) -> Account {
    try await checkIdentity(grant, nonce: nonce)
    return try await signedIn(grant, username: username, asked: asked)
  }
}
