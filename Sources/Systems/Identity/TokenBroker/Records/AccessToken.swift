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

  /// The token itself.
  package let secret: Secret
  /// The scopes that the server granted.
  package let scopes: ScopeList
  /// The time at which the token expires, in seconds since 1970.
  package let expiresAt: Int
  /// The account's `home_account_id`.
  package let account: String
  /// The cache or the server, whichever supplied the token.
  package let source: Source

  init(_ token: CachedAccessToken, account: String, source: Source) {
    secret = token.secret
    scopes = token.scopes
    expiresAt = source == .extended ? token.extendedExpiresOn ?? token.expiresOn : token.expiresOn
    self.account = account
    self.source = source
  }
}
