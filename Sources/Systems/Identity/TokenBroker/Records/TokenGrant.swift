internal import ConfigurationFiles
internal import Text

/// The answer of a token endpoint that grants tokens (RFC 6749, 5.1).
struct TokenGrant: Sendable, Equatable {
  var accessToken: Secret
  /// The type of the token; only `Bearer` is accepted.
  var kind = "Bearer"
  /// `nil` when the server said nothing: then they are those that were asked for.
  var scopes: ScopeList?
  /// The lifetime in seconds, counted from the receipt.
  var lifetime: Int
  var extendedLifetime: Int?
  var refreshIn: Int?
  var refreshToken: Secret?
  var idToken: Secret?
  var clientInfo: String?

  /// The assumed lifetime in seconds of a token whose server names none.
  static let usualLifetime = 3_600
  /// The longest life that is believed: ten years.
  static let longestLifetime = 315_360_000
  static let longestToken = 1 << 17
}

extension TokenGrant {
  /// Reads the answer of a token endpoint.
  ///
  /// - Throws: `AuthError`, `invalidAnswer`, when there is no access token of a kind that can be sent.
  init(_ reply: ServerReply, server: String) throws(AuthError) {
    guard let token = reply.secret("access_token"), token.revealed().utf8.allSatisfy({ $0 > 0x20 }) else {
      throw .invalidAnswer(reply, server: server, lacking: "access_token")
    }
    let kind = reply.text("token_type", most: 64) ?? "Bearer"
    guard kind.lowercased() == "bearer" else {
      throw AuthError(.invalidAnswer, "\(server) gave a token of the type \"\(quotable(kind))\", which is not known.")
    }
    let lives = 0...Self.longestLifetime
    self.init(
      accessToken: token, kind: "Bearer",
      scopes: reply.text("scope", most: 1 << 15).map { ScopeList(granted: $0) },
      lifetime: reply.integer("expires_in", in: lives) ?? Self.usualLifetime,
      extendedLifetime: reply.integer("ext_expires_in", in: lives),
      refreshIn: reply.integer("refresh_in", in: lives),
      refreshToken: reply.secret("refresh_token"), idToken: reply.secret("id_token"),
      clientInfo: reply.text("client_info", most: 8_192))
  }
}
