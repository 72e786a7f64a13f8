package import ConfigurationFiles
package import TokenBroker

extension IdentityBook {
  /// The settings of an identity server in a configuration file: the values of its keys, unchecked.
  package struct Settings: Sendable, Equatable {
    /// `IDENTITY_AUTHORITY`.
    package var authority: String?
    /// `IDENTITY_CLIENT_ID`.
    package var clientID: String?
    /// `IDENTITY_CHALLENGE_TYPES`: words with spaces or commas between them.
    package var challengeTypes: String?
    /// `IDENTITY_KIND`: `native` or `openid`. Without it challenge types, or an authority below `ciamlogin.com`, mean
    /// native authentication.
    package var kind: String?

    /// The secret of the client, from a file or a descriptor.
    package var clientSecret: Secret?

    /// Creates settings; a value is `nil` when the file does not set its key.
    package init(
      authority: String? = nil, clientID: String? = nil, challengeTypes: String? = nil, kind: String? = nil
    ) {
      (self.authority, self.clientID) = (authority, clientID)
      (self.challengeTypes, self.kind) = (challengeTypes, kind)
    }

    /// - Returns: `nil` when neither an authority nor a client is named.
    /// - Throws: `AuthError`, `invalidConfiguration`.
    package func configuration() throws(AuthError) -> IdentityConfiguration? {
      let (authority, clientID) = (filled(authority), filled(clientID))
      if authority == nil, clientID == nil { return nil }
      guard let authority else {
        throw AuthError(.invalidConfiguration, "A client is configured, and no identity server: IDENTITY_AUTHORITY.")
      }
      guard let clientID else {
        throw AuthError(.invalidConfiguration, "An identity server is configured, and no client: IDENTITY_CLIENT_ID.")
      }
      let types = filled(challengeTypes)?.split { $0 == " " || $0 == "," }.map(String.init)
      var configuration = try IdentityConfiguration(
        authority: authority, clientID: clientID, kind: try kind(of: authority, types),
        challengeTypes: types ?? ["password", "oob"])
      configuration.clientSecret = clientSecret
      return configuration
    }

    private func kind(of authority: String, _ types: [String]?) throws(AuthError) -> IdentityConfiguration.Kind {
      switch filled(kind)?.lowercased() {
      case "native": return .native
      case "openid", "openidconnect", "oidc": return .openIDConnect
      case nil: return types != nil || authority.lowercased().contains(".ciamlogin.com") ? .native : .openIDConnect
      case let other?:
        throw AuthError(
          .invalidConfiguration, "\"\(other.prefix(100))\" is not a kind of identity server.",
          recovery: "Set IDENTITY_KIND to native or openid.")
      }
    }

    private func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
  }
}
