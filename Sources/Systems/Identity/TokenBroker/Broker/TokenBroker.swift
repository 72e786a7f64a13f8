package import ConfigurationFiles
package import HTTPClient
internal import JSON
internal import Text
package import Time

/// Keeps who is signed in, and gives access tokens for any number of APIs.
///
/// A token comes from the cache while it is good. One that ends within five minutes, or that the server wants renewed,
/// still comes at once while ``run()`` gets the next one; without ``run()`` the caller waits for that, and gets the old
/// one when it fails. One refresh is made at a time for an account, in all processes that share the cache; whoever asks
/// meanwhile waits for it. A refresh that has begun is not cancelled: what the server gave for the refresh token is kept.
package actor TokenBroker {
  package nonisolated let configuration: IdentityConfiguration
  package nonisolated let cache: TokenCache
  nonisolated let clock: WallClock
  nonisolated let transport: AuthTransport
  private nonisolated let recent = RecentTokens()

  /// Who waits for the refresh of an account.
  var flights: [CacheIdentity: [Landing]] = [:]
  /// Those of them that ``run()`` has not begun.
  var queued: Set<CacheIdentity> = []
  /// What is to be refreshed by ``run()``; nil when that does not run.
  var jobs: AsyncStream<TokenAsk>.Continuation?
  /// When a refresh in the background was last begun.
  var lastEarlyRefresh: [CacheIdentity: Int] = [:]
  /// What the server granted less than was asked for, for a while.
  var shortfalls = Shortfalls()
  var discovered: ServerMetadata?

  package init(
    _ configuration: IdentityConfiguration, client: HTTPClient, cache: TokenCache, clock: WallClock = .system
  ) {
    self.init(configuration, cache: cache, clock: clock) { request throws(HTTPError) in try await client.send(request) }
  }

  /// - Parameter transport: sends requests.
  package init(
    _ configuration: IdentityConfiguration, cache: TokenCache, clock: WallClock = .system,
    transport: @escaping AuthTransport
  ) {
    (self.configuration, self.cache, self.clock, self.transport) = (configuration, cache, clock, transport)
  }

  // MARK: Accounts

  /// Who is or was signed in.
  ///
  /// - Throws: `AuthError` when the cache cannot be read.
  package nonisolated func accounts() async throws(AuthError) -> [Account] {
    try await cache.contents().accounts(
      environment: configuration.environment, client: configuration.clientID, now: clock.seconds)
  }

  /// - Parameter account: an id or a user name; `nil` means the only account there is.
  nonisolated func identity(of account: String?, in contents: UnifiedCache) throws(AuthError) -> CacheIdentity {
    if let account {
      let identity = self.identity(account)
      if contents.account(identity) != nil { return identity }
    }
    let all = contents.accounts(
      environment: configuration.environment, client: configuration.clientID, now: clock.seconds)
    let named = all.filter { known in account.map { known.username.lowercased() == $0.lowercased() } ?? true }
    if named.count == 1 { return self.identity(named[0].id) }
    guard named.isEmpty else {
      throw AuthError(
        .noAccount, "\(named.count) accounts are signed in, and none is named.", recovery: "Name one of the accounts.",
        names: named.map { quotable($0.username) })
    }
    let name = account.map { " as \"\(quotable($0))\"" } ?? ""
    throw AuthError(.noAccount, "Nobody is signed in\(name) at \(configuration.environment).")
  }

  nonisolated func identity(_ account: String) -> CacheIdentity {
    CacheIdentity(account: account, environment: configuration.environment, client: configuration.clientID)
  }

  // MARK: Tokens

  /// An access token for some scopes of one resource.
  ///
  /// - Parameters:
  ///   - account: an id or a user name; `nil` means the only account there is.
  ///   - forceRefresh: whether the cache is passed over.
  ///   - claims: what an API wants to be told, as the text of a JSON object; passes the cache over too.
  ///   - refused: a token that an API did not take: nobody gets it again, and a forced refresh is left out when another
  ///     one has come meanwhile.
  /// - Throws: `AuthError`.
  package nonisolated func token(
    scopes: [String], account: String? = nil, forceRefresh: Bool = false, claims: String? = nil,
    refused: Secret? = nil
  ) async throws(AuthError) -> AccessToken {
    let key = RecentTokens.Key(scopes: scopes, account: account)
    let stamp = cache.stamp
    if !forceRefresh, claims == nil, refused == nil,
      let token = recent.token(for: key, stamp: stamp, now: clock.seconds)
    {
      return token
    }
    let asked = try ScopeList(scopes)
    if let claims { try Self.check(claims: claims) }
    let contents = try await cache.contents()
    let identity = try identity(of: account, in: contents)
    let found = contents.accessToken(for: asked, of: identity)
    var ask = TokenAsk(
      identity: identity, scopes: asked, claims: claims, isForced: forceRefresh || claims != nil, refused: refused)
    guard !ask.isForced, let found, found.secret != refused else {
      if ask.isForced, refused == nil { ask.refused = found?.secret }
      return try await refreshed(ask)
    }
    switch found.freshness(now: clock.seconds) {
    case .fresh:
      let answer = answer(found, .cache)
      recent.keep(answer, of: found, for: key, stamp: stamp)
      return answer
    case .due:
      if await refreshesEarly(ask) { return answer(found, .cache) }
    case .extended, .over: break
    }
    return try await refreshed(ask)
  }

  nonisolated func answer(_ token: CachedAccessToken, _ source: AccessToken.Source) -> AccessToken {
    AccessToken(token, account: token.entity.text("home_account_id") ?? token.identity.account, source: source)
  }

  private static func check(claims: String) throws(AuthError) {
    if claims.utf8.count <= 16_384, let value = try? JSONCoding.parse(claims, maximumDepth: 16), case .object = value {
      return
    }
    throw AuthError(
      .invalidRequest, "The claims are no JSON object of at most 16 KiB.", recovery: "Give the claims as the API did.")
  }

  nonisolated func exchange() -> AuthExchange { AuthExchange(configuration, transport: transport) }
}
