package import ConfigurationFiles

/// An access token for web APIs, with its scopes and its expiry.
package struct AccessToken: Sendable, Equatable {
  /// The origin of a token.
  package enum Source: String, Sendable {
    case cache
    case identityProvider
    /// An expired token that is still used, because the server is down and permits that.
    case extended
  }

  /// The token itself.
  package let secret: Secret
  /// The scopes that the server granted.
  package let scopes: ScopeList
  /// The time at which the token expires, in seconds since 1970.
  package let expiresAt: Int
  /// The time at which the token was stored, in seconds since 1970.
  package let cachedAt: Int
  /// The account's `home_account_id`.
  package let account: String
  /// The cache or the server, whichever supplied the token.
  package let source: Source

  init(_ token: CachedAccessToken, account: String, source: Source) {
    secret = token.secret
    scopes = token.scopes
    cachedAt = token.cachedAt
    expiresAt = source == .extended ? token.extendedExpiresOn ?? token.expiresOn : token.expiresOn
    self.account = account
    self.source = source
  }
}
