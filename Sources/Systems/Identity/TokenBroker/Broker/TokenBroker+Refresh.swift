internal import ConfigurationFiles
internal import Files
internal import Text
import Time

extension TokenBroker {
  /// Spends the refresh token, unless another process has just done so. To be called once at a time for an account.
  func refresh(_ ask: TokenAsk) async -> Result<CachedAccessToken, AuthError> {
    do throws(AuthError) {
      let endpoints = try await endpoints()
      let lock = try await cache.lockForRefresh(ask.identity)
      let result = await spend(ask, at: endpoints)
      lock.unlock()
      return result
    } catch {
      return .failure(error)
    }
  }

  private func spend(_ ask: TokenAsk, at endpoints: ServerMetadata) async -> Result<CachedAccessToken, AuthError> {
    do throws(AuthError) {
      let contents = try await cache.contents()
      let now = clock.seconds
      if let token = ask.answer(in: contents, now: now) { return .success(token) }
      if let error = shortfalls.error(for: ask, now: now) { throw error }
      guard let account = contents.account(ask.identity) else {
        throw AuthError(.noAccount, "This account was signed out.")
      }
      guard let old = contents.refreshToken(of: ask.identity) else {
        throw AuthError(
          .interactionRequired, "\(quotable(account.username)) has to sign in again: there is no refresh token.")
      }
      // Before anything is spent: without the keys the answer could not be checked.
      _ = try await identityKeys()
      var grant = try await grant(for: ask, spending: old.secret, at: endpoints)
      do throws(AuthError) {
        try await checkIdentity(grant)
      } catch {
        // The keys have changed and cannot be had now. The new refresh token is not thrown away for that.
        guard error.isTransient || error.kind == .untrusted else { throw error }
        grant.idToken = nil
      }
      return .success(try await keep(grant, for: ask, spent: old.secret))
    } catch {
      return .failure(error)
    }
  }

  /// Asks the server.
  ///
  /// - Throws: `AuthError`; a refresh token that the server refused is gone then, and the account is kept.
  private func grant(
    for ask: TokenAsk, spending secret: Secret, at endpoints: ServerMetadata
  ) async throws(AuthError) -> TokenGrant {
    let exchange = exchange()
    var form: FormFields = ["grant_type": "refresh_token", "client_id": configuration.clientID]
    form["refresh_token"] = secret
    if configuration.kind == .native { form["client_info"] = Secret("1") }
    if let claims = ask.claims { form["claims"] = Secret(claims) }
    form["scope"] = Secret(ask.scopes.union(.standard).names.joined(separator: " "))
    var reply = try await post(form, endpoints, exchange)
    if !reply.isSuccess, configuration.kind == .openIDConnect,
      exchange.error(reply, purpose: .refresh, sent: form).kind == .invalidScope
    {
      // Scopes that were not granted at first must not be asked for (RFC 6749, 6), and those of the standard may be such.
      form["scope"] = Secret(ask.scopes.names.joined(separator: " "))
      reply = try await post(form, endpoints, exchange)
    }
    if reply.isSuccess { return try TokenGrant(reply, server: exchange.server) }
    let error = exchange.error(reply, purpose: .refresh, sent: form)
    if error.endsRefreshToken {
      try await cache.change { $0.forget(refreshToken: secret, of: ask.identity) }
    }
    throw error
  }

  private func post(
    _ form: FormFields, _ endpoints: ServerMetadata, _ exchange: AuthExchange
  ) async throws(AuthError) -> ServerReply {
    try await exchange.post(form, to: endpoints.tokenEndpoint, endsWithCaller: false, timeout: .seconds(15))
  }

  /// Keeps what was granted, less than was asked for too.
  private func keep(
    _ grant: TokenGrant, for ask: TokenAsk, spent: Secret
  ) async throws(AuthError) -> CachedAccessToken {
    let now = clock.seconds
    let configuration = configuration
    let token = try await cache.change { contents throws(AuthError) -> CachedAccessToken in
      // When the user signed out during the refresh, its result is not stored.
      guard let account = contents.account(ask.identity), contents.refreshToken(of: ask.identity)?.secret == spent
      else {
        throw AuthError(
          .noAccount, "This account was signed out, or signed in anew, meanwhile.", recovery: "Try again.")
      }
      try Self.check(grant, isOf: account, known: contents.idToken(of: ask.identity)?.secret, configuration)
      let place = CachePlace(
        account: account.account, environment: configuration.environment, client: configuration.clientID,
        realm: account.realm)
      contents.keep(grant, place: place, asked: ask.scopes, now: now)
      return CachedAccessToken(grant, identity: place, asked: ask.scopes, now: now)
    }.value
    guard token.answers.covers(ask.scopes) else {
      let error = AuthError.insufficientScopes(asked: ask.scopes, granted: token.answers)
      shortfalls.add(error, for: ask, now: now)
      throw error
    }
    if let excess = ask.limit?.excess(of: token.scopes), !excess.isEmpty {
      let error = AuthError.excessiveScopes(excess)
      shortfalls.add(error, for: ask, now: now)
      throw error
    }
    return token
  }

  /// Checks that the tokens of an answer belong to the same account: `sub` is that of the sign-in (OpenID Connect Core,
  /// 12.2). `oid`, where a server has both, is another name of the user, and no client's own.
  ///
  /// - Parameter known: the id token of the sign-in or of the last refresh.
  private static func check(
    _ grant: TokenGrant, isOf account: CachedAccount, known: Secret?, _ configuration: IdentityConfiguration
  ) throws(AuthError) {
    if let info = grant.clientInfo.flatMap(ClientInfo.init),
      "\(info.user).\(info.tenant)".lowercased() != account.account.lowercased()
    {
      throw ofAnother(configuration)
    }
    guard let claims = grant.idToken.flatMap(IDTokenClaims.init) else { return }
    if let subject = known.flatMap(IDTokenClaims.init)?.subject, claims.subject?.hasBytes(of: subject) != true {
      throw ofAnother(configuration)
    }
    if let object = known.flatMap(IDTokenClaims.init)?.objectID, let found = claims.objectID,
      !found.hasBytes(of: object)
    {
      throw ofAnother(configuration)
    }
  }

  private static func ofAnother(_ configuration: IdentityConfiguration) -> AuthError {
    AuthError(
      .invalidAnswer, "\(configuration.environment) answered with the tokens of another account.",
      recovery: "Sign out, and sign in again.")
  }
}

extension AuthError {
  /// Whether the server declared the refresh token unusable. An answer without an error code may come from a proxy, and
  /// a condition that the user can fulfil leaves the token valid.
  var endsRefreshToken: Bool {
    guard kind == .interactionRequired, let serverError else { return false }
    switch code {
    case 50072, 50074, 50076, 50079, 50158: return false
    default: return serverError.hasPrefix("invalid_grant") || serverError.hasPrefix("expired_refresh_token")
    }
  }
}

/// The parameters of a refresh.
struct TokenAsk: Sendable {
  let identity: CacheIdentity
  let scopes: ScopeList
  /// The scopes that the token may have at most; nil for no limit.
  var limit: TokenLimit?
  /// The claims that an API demands, as JSON text; nil for none.
  var claims: String?
  /// Whether a token of the cache does not do, however good it looks.
  var isForced = false
  /// The token that does not do.
  var refused: RefusedToken?

  /// Whether the same answer does for both.
  func isSame(as other: TokenAsk) -> Bool {
    identity == other.identity && scopes == other.scopes && claims == other.claims && limit == other.limit
  }

  /// Returns the token that is in the cache by now and makes the refresh needless; nil when there is none.
  func answer(in cache: UnifiedCache, now: Int) -> CachedAccessToken? {
    guard claims == nil else { return nil }
    return cache.accessToken(for: scopes, of: identity, within: limit) { token in
      guard token.freshness(now: now) == .fresh else { return false }
      guard let refused else { return !isForced }
      return isForced ? refused.isOlder(than: token) : refused.secret != token.secret
    }
  }
}

/// A token that does not do, and what tells an older one from a newer one.
struct RefusedToken: Sendable, Equatable {
  let secret: Secret
  let scopes: ScopeList
  let cachedAt: Int

  init(_ token: AccessToken) { (secret, scopes, cachedAt) = (token.secret, token.scopes, token.cachedAt) }
  init(_ token: CachedAccessToken) { (secret, scopes, cachedAt) = (token.secret, token.scopes, token.cachedAt) }

  /// Whether a token of the cache came after this one. A wider or narrower token beside it may be as old, and as little
  /// use; one with the same scopes has taken its place.
  func isOlder(than token: CachedAccessToken) -> Bool {
    token.secret != secret && (token.cachedAt > cachedAt || token.scopes == scopes)
  }
}
