/// A deviation of some real servers from the standard, for tests of clients.
package enum Quirk: String, Sendable, CaseIterable {
  /// A wrong password is answered with 403 and no body.
  case emptyWrongPassword
  /// A bad refresh token is answered with 400 and no body.
  case emptyBadRefreshToken
  /// A refresh gives the scopes of the sign-in, whatever is asked for.
  case scopeIgnored
  /// A refresh gives no new refresh token, and the old one stays good.
  case noRefreshToken
  /// An API answers an expired or absent token with 401 and no body, and without `WWW-Authenticate`.
  case emptyUnauthorized
  /// An API answers an expired token with 400 `access_denied`.
  case badRequestForExpired
  /// An API answers 401 `insufficient_claims` to tokens that were not asked for with `claims`.
  case asksForClaims
  /// `expires_in` says an hour for a token that dies after three seconds.
  case expiryLies
  /// Numbers of seconds are texts.
  case numbersAsText
  /// Access tokens are no JSON Web Tokens.
  case opaqueTokens
  /// An expired refresh token is `expired_refresh_token`, and not `invalid_grant`.
  case expiredRefreshToken
  /// A reset of a password ends with the status `failed`.
  case resetFails
  /// Nothing but the access token and its type.
  case bareResponse
  /// Fewer scopes are granted than asked for: the first only.
  case fewerScopes
}
