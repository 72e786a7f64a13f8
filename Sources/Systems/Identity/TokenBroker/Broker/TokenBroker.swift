internal import ConfigurationFiles
package import HTTPClient
internal import JSON
internal import Synchronization
internal import Text
package import Time

/// The signed-in accounts of an application, and their access tokens for any number of APIs.
///
/// A valid token comes from the cache. A token that expires within five minutes, or that the server wants renewed, is
/// returned at once while ``run()`` requests the next one. Without ``run()`` the caller waits for the refresh, and
/// receives the old token when the refresh fails. The broker makes one refresh at a time for an account, across all
/// processes that share the cache; other callers wait for its result. A refresh that has started is not cancelled, so
/// that the server's answer to the spent refresh token is stored.
package actor TokenBroker {
  /// The identity server, and the client's identifier there.
  package nonisolated let configuration: IdentityConfiguration
  /// The stored accounts and tokens, shared with other processes.
  package nonisolated let cache: TokenCache
  nonisolated let clock: WallClock
  nonisolated let transport: AuthTransport
  private nonisolated let recent = RecentTokens()
  /// Whether the server wants the secret of a client in the form, as its metadata said.
  nonisolated let postsSecret = Mutex(false)

  /// The callers that wait for the refresh of each account.
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
  /// The keys that id tokens are signed with; nil before the first.
  var keys: IdentityKeys?

  /// Creates a broker that sends its requests by an HTTP client.
  package init(
    _ configuration: IdentityConfiguration, client: HTTPClient, cache: TokenCache, clock: WallClock = .system
  ) {
    self.init(configuration, cache: cache, clock: clock) { request throws(HTTPError) in try await client.send(request) }
  }

  /// Creates a broker with its own transport, for tests.
  ///
  /// - Parameter transport: sends requests.
  package init(
    _ configuration: IdentityConfiguration, cache: TokenCache, clock: WallClock = .system,
    transport: @escaping AuthTransport
  ) {
    (self.configuration, self.cache, self.clock, self.transport) = (configuration, cache, clock, transport)
  }

  // MARK: Accounts

  /// Returns the accounts that are or were signed in.
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
    throw AuthError(.noAccount, "No account is signed in\(name) at \(configuration.environment).")
  }

  nonisolated func identity(_ account: String) -> CacheIdentity {
    CacheIdentity(account: account, environment: configuration.environment, client: configuration.clientID)
  }

  // MARK: Tokens

  /// Returns an access token for some scopes of one resource.
  ///
  /// - Parameters:
  ///   - account: an account's identifier or user name; nil selects the only signed-in account.
  ///   - forceRefresh: whether the broker requests a new token although the cache has a valid one.
  ///   - claims: the claims that an API demands, as the text of a JSON object; also bypasses the cache.
  ///   - refused: a token that an API rejected. The broker does not return this token again. A forced refresh is
  ///     skipped when the cache has received another token since.
  ///   - limit: the scopes that the token may have at most; nil for no limit.
  /// - Throws: `AuthError`; `excessiveScopes` when the server grants more than the limit allows.
  package nonisolated func token(
    scopes: [String], account: String? = nil, forceRefresh: Bool = false, claims: String? = nil,
    refused: AccessToken? = nil, limit: TokenLimit? = nil
  ) async throws(AuthError) -> AccessToken {
    let key = RecentTokens.Key(scopes: scopes, account: account, limit: limit)
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
    let found = contents.accessToken(for: asked, of: identity, within: limit)
    var ask = TokenAsk(
      identity: identity, scopes: asked, limit: limit, claims: claims, isForced: forceRefresh || claims != nil,
      refused: refused.map(RefusedToken.init))
    guard !ask.isForced, let found, found.secret != refused?.secret else {
      if ask.isForced, refused == nil { ask.refused = found.map(RefusedToken.init) }
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
      .invalidRequest, "The claims are not a JSON object of at most 16 KiB.",
      recovery: "Give the claims as the API did.")
  }

  nonisolated func exchange() -> AuthExchange {
    AuthExchange(configuration, transport: transport, postsSecret: postsSecret.withLock { $0 })
  }
}
