internal import ConfigurationFiles

/// The parameters of a refresh.
struct TokenAsk: Sendable {
  let identity: CacheIdentity
  let scopes: ScopeList
  /// The claims that an API demands, as JSON text; nil for none.
  var claims: String?
  /// Whether a token of the cache does not do, however good it looks.
  var isForced = false
  /// The token that does not do.
  var refused: Secret?

  /// Whether the same answer does for both.
  func isSame(as other: TokenAsk) -> Bool {
    identity == other.identity && scopes == other.scopes && claims == other.claims
  }

  /// Whether a token that is in the cache by now makes the refresh needless.
  func isAnswered(by token: CachedAccessToken, now: Int) -> Bool {
    guard claims == nil, token.freshness(now: now) == .fresh else { return false }
    return isForced ? refused.map { $0 != token.secret } ?? false : token.secret != refused
  }
}
