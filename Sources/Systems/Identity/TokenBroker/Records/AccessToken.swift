package import ConfigurationFiles

/// A token for web APIs, with what it is good for.
package struct AccessToken: Sendable, Equatable {
  /// Where it came from.
  package enum Source: String, Sendable {
    case cache
    case identityProvider
    /// Over, and used on because the server is down and allowed that.
    case extended
  }

  package let secret: Secret
  /// What was granted.
  package let scopes: ScopeList
  /// Seconds since 1970.
  package let expiresAt: Int
  /// The `home_account_id`.
  package let account: String
  package let source: Source

  init(_ token: CachedAccessToken, account: String, source: Source) {
    secret = token.secret
    scopes = token.scopes
    expiresAt = source == .extended ? token.extendedExpiresOn ?? token.expiresOn : token.expiresOn
    self.account = account
    self.source = source
  }
}
