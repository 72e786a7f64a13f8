internal import ConfigurationFiles
internal import JSON

extension UnifiedCache {
  /// Stores the tokens of a user who has just signed in.
  ///
  /// - Parameter replacing: whether the client has only one account, which the new account replaces.
  mutating func signIn(
    _ grant: TokenGrant, place: CachePlace, facts: AccountFacts, asked: ScopeList, replacing: Bool, now: Int
  ) {
    let identity = place.identity
    if replacing {
      for account in accounts where account.environment == identity.environment {
        let other = CacheIdentity(account: account.account, environment: account.environment, client: place.client)
        if other != identity, hasAnything(of: other) { signOut(other) }
      }
    }
    let account = CachedAccount(place: place, facts: facts)
    accounts.removeAll { $0.isAccount(identity) }
    accounts.append(account)
    // Another user's rights may be other ones since: nothing of before counts.
    accessTokens.removeAll { $0.identity == identity }
    let key = Self.applicationKey(identity)
    var application = applications[key] ?? [:]
    application["client_id"] = .string(place.client)
    application["environment"] = .string(place.environment)
    applications[key] = application
    keep(grant, place: place, asked: asked, now: now)
  }

  /// Stores the tokens of a refresh. The access token replaces the one with the same scopes. Narrower and wider tokens stay
  /// beside it, because not every caller may use the wider one; those whose time is over go.
  mutating func keep(_ grant: TokenGrant, place: CachePlace, asked: ScopeList, now: Int) {
    let identity = place.identity
    let token = CachedAccessToken(grant, identity: place, asked: asked, now: now)
    let realm = token.realm
    accessTokens.removeAll { old in
      old.identity == identity && old.realm == realm && old.kind == token.kind
        && (old.key == token.key || old.scopes.ofResources == token.scopes.ofResources
          || old.freshness(now: now) == .over)
    }
    accessTokens.append(token)
    dropOldest(now: now)
    if let secret = grant.refreshToken {
      refreshTokens.removeAll { $0.identity == identity }
      refreshTokens.append(CachedCredential(.refreshToken, secret, place: place, target: token.scopes, now: now))
    }
    if let secret = grant.idToken {
      idTokens.removeAll { $0.identity == identity }
      idTokens.append(CachedCredential(.idToken, secret, place: place))
    }
  }

  private mutating func dropOldest(now: Int) {
    guard accessTokens.count > Self.mostEntities else { return }
    accessTokens.sort { $0.expiresOn < $1.expiresOn }
    accessTokens.removeFirst(accessTokens.count - Self.mostEntities)
  }

  /// Removes one refresh token that the server refused. Another one stays, because another process may have received it
  /// since.
  mutating func forget(refreshToken secret: Secret, of identity: CacheIdentity) {
    refreshTokens.removeAll { $0.identity == identity && $0.secret == secret }
  }

  /// Deletes everything of an account for one client, and the account itself when no other client has anything of it.
  ///
  /// - Returns: the refresh tokens, for the server to revoke.
  @discardableResult
  mutating func signOut(_ identity: CacheIdentity) -> [Secret] {
    let secrets = refreshTokens.filter { $0.identity == identity }.map(\.secret)
    accessTokens.removeAll { $0.identity == identity }
    refreshTokens.removeAll { $0.identity == identity }
    idTokens.removeAll { $0.identity == identity }
    for section in [CacheSection.accessToken, .refreshToken, .idToken] {
      guard let entities = unreadable[section.rawValue] else { continue }
      unreadable[section.rawValue] = JSONObject(
        entities.filter { Self.belongs($0.value, to: identity) == false }.map { ($0.key, $0.value) })
    }
    if !isOfAnotherClient(identity) { accounts.removeAll { $0.isAccount(identity) } }
    return secrets
  }

  private func hasAnything(of identity: CacheIdentity) -> Bool {
    refreshTokens.contains { $0.identity == identity } || idTokens.contains { $0.identity == identity }
      || accessTokens.contains { $0.identity == identity } || !isOfAnotherClient(identity)
  }

  private func isOfAnotherClient(_ identity: CacheIdentity) -> Bool {
    func isOther(_ other: CacheIdentity) -> Bool {
      other.account == identity.account && other.environment == identity.environment && other.client != identity.client
    }
    return refreshTokens.contains { isOther($0.identity) } || accessTokens.contains { isOther($0.identity) }
      || idTokens.contains { isOther($0.identity) }
  }

  /// Whether an entity that cannot be used is of this identity.
  private static func belongs(_ value: JSONValue, to identity: CacheIdentity) -> Bool {
    guard let object = value.objectValue, let owner = CacheIdentity(CacheEntity(object)) else { return false }
    return owner == identity
  }
}
