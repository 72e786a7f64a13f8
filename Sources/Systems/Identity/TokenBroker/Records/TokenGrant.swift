internal import ConfigurationFiles

/// What a token endpoint granted (RFC 6749, 5.1).
struct TokenGrant: Sendable, Equatable {
  var accessToken: Secret
  /// `Bearer`.
  var kind = "Bearer"
  /// `nil` when the server said nothing: then they are those that were asked for.
  var scopes: ScopeList?
  /// Seconds from the receipt on.
  var lifetime: Int
  var extendedLifetime: Int?
  var refreshIn: Int?
  var refreshToken: Secret?
  var idToken: Secret?
  var clientInfo: String?

  /// What a token lives for when its server does not say.
  static let usualLifetime = 3_600
  /// The longest life that is believed: ten years.
  static let longestLifetime = 315_360_000
  static let longestToken = 1 << 17
}
