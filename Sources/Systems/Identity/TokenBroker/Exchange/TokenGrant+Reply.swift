internal import ConfigurationFiles
internal import Text

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
