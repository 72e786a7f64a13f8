internal import ConfigurationFiles

extension UnifiedCache {
  /// The token that does for the scopes, the one that lives longest if there are several.
  ///
  /// - Parameters:
  ///   - realm: the tenant; `nil` takes any.
  ///   - limit: the scopes that the token may have at most; `nil` for no limit.
  ///   - does: whether a token does otherwise.
  func accessToken(
    for scopes: ScopeList, of identity: CacheIdentity, realm: String? = nil, within limit: TokenLimit? = nil,
    where does: (CachedAccessToken) -> Bool = { _ in true }
  ) -> CachedAccessToken? {
    var best: CachedAccessToken?
    for token in accessTokens
    where token.identity == identity && token.kind == "bearer"
      && (realm.map { token.realm == $0.lowercased() } ?? true) && token.answers.covers(scopes)
      && limit?.allows(token.scopes) ?? true && does(token)
    {
      if let found = best, found.expiresOn >= token.expiresOn { continue }
      best = token
    }
    return best
  }

  /// Matched by account and client, whatever scopes its key names: one does for every resource.
  func refreshToken(of identity: CacheIdentity) -> CachedCredential? {
    let own = refreshTokens.filter { $0.identity == identity }
    return own.first { $0.key.hasSuffix("--") } ?? own.last
  }

  func idToken(of identity: CacheIdentity) -> CachedCredential? { idTokens.last { $0.identity == identity } }

  func account(_ identity: CacheIdentity) -> CachedAccount? { accounts.first { $0.isAccount(identity) } }

  /// The accounts that a client has at a server.
  ///
  /// - Parameter now: seconds since 1970, for whether a token still does without a refresh token.
  package func accounts(environment: String, client: String, now: Int) -> [Account] {
    var seen: Set<String> = []
    return accounts.compactMap { account in
      let identity = CacheIdentity(account: account.account, environment: environment, client: client)
      let isKnown = applications[Self.applicationKey(identity)] != nil || hasEntities(of: identity)
      guard account.isAccount(identity), isKnown, seen.insert(identity.account).inserted else { return nil }
      let lives = accessTokens.contains {
        $0.identity == identity && [.fresh, .due].contains($0.freshness(now: now))
      }
      return Account(
        id: account.account, username: account.username, name: account.name,
        signedIn: refreshToken(of: identity) != nil || lives)
    }
  }

  private func hasEntities(of identity: CacheIdentity) -> Bool {
    refreshTokens.contains { $0.identity == identity } || idTokens.contains { $0.identity == identity }
      || accessTokens.contains { $0.identity == identity }
  }

  static func applicationKey(_ identity: CacheIdentity) -> String {
    CacheEntityKey.make("appmetadata", identity.environment, identity.client)
  }
}
