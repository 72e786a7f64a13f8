internal import HTTPClient
package import JSON
internal import Text
package import Time

/// Runs persisted queries of AEM, downloads its pictures, and caches both as the server's `Cache-Control` allows.
///
/// Every call ends with a result or a `ContentError`, within a bounded time. Only GET requests are retried. Queries do
/// not follow redirects; pictures follow redirects within the configured server only. Equal requests that run at the
/// same time share one request.
///
/// A fresh answer comes from the cache. For an older answer, the client asks the server whether the answer is still
/// valid. Within `stale-while-revalidate` the client waits at most one second for the server and then returns the older
/// answer. A caller that can display two answers uses ``updates(query:variables:policy:)``, which gives the older one
/// at once. The client starts no work in the background. Within `stale-if-error` the older answer, with the reason,
/// replaces a lasting failure of the server (RFC 5861).
package actor ContentClient {
  /// Whether the cache may answer alone.
  package enum Policy: Sendable, Hashable, CaseIterable {
    /// The cache answers while its answer is fresh, and when the server allows it for failures.
    case useCache
    /// The same, and an answer that may be shown while the server is asked is given at once: its `isRefreshDue` says
    /// so.
    case preferCache
    /// The server answers, or confirms what the cache has. A failure is a failure.
    case revalidate
    /// The server answers, whatever the cache has. A failure is a failure.
    case reload

    var allowsCache: Bool { self == .useCache || self == .preferCache }
  }

  /// Limits of requests and caches.
  package struct Limits: Sendable {
    /// The most seconds for all exchanges of one call together, excluding the pauses between them.
    package var timeout = 15.0
    /// Bytes of one answer, decompressed.
    package var maximumBodyBytes = 16 << 20
    /// Bytes of all answers in the cache.
    package var maximumCacheBytes = 64 << 20
    /// Bytes of one picture.
    package var maximumImageBytes = 16 << 20
    /// Bytes of all pictures in the cache.
    package var maximumImageCacheBytes = 128 << 20

    /// Creates the default limits.
    package init() {}
  }

  /// The server, the credentials and the limits of time that the client was created with.
  package nonisolated let configuration: ContentConfiguration
  nonisolated let transport: ContentTransport
  nonisolated let clock: WallClock
  nonisolated let limits: Limits
  nonisolated let retries = RetryPolicy()
  nonisolated let credentials: Credentials
  let images: ResponseCache?
  private let cache: ResponseCache?
  private let recent = RecentAnswers()
  private let flights = SingleFlight<CachedFetch<GraphQLAnswer>.Flight, CachedFetch<GraphQLAnswer>.Outcome>()
  let imageFlights = SingleFlight<CachedFetch<ReceivedImage>.Flight, CachedFetch<ReceivedImage>.Outcome>()

  /// - Parameters:
  ///   - cachePath: the file of the cache of answers, asked for at the first use; nil keeps nothing. Beside it the token of a
  ///     service account lasts, for its user alone.
  ///   - imageCachePath: the same for pictures.
  ///   - transport: sends requests; nil uses HTTP.
  ///   - report: is called with one sentence when a cache cannot be used.
  package init(
    configuration: ContentConfiguration, cachePath: (@Sendable () throws -> String)? = nil,
    imageCachePath: (@Sendable () throws -> String)? = nil, transport: ContentTransport? = nil,
    clock: WallClock = .system, limits: Limits = Limits(),
    report: @escaping @Sendable (_ sentence: String) -> Void = { _ in }
  ) {
    let transport = transport ?? Self.network()
    self.configuration = configuration
    self.clock = clock
    self.limits = limits
    self.transport = transport
    var tokenPath: (@Sendable () throws -> String)?
    if let cachePath { tokenPath = { try cachePath() + ".token" } }
    credentials = Credentials(
      configuration.authentication, transport: transport, clock: clock, tokenPath: tokenPath)
    cache = cachePath.map { ResponseCache(path: $0, maximumBytes: limits.maximumCacheBytes, report: report) }
    images = imageCachePath.map {
      ResponseCache(path: $0, maximumBytes: limits.maximumImageCacheBytes, report: report)
    }
  }

  private static func network() -> ContentTransport {
    let client = HTTPClient()
    return { request throws(HTTPError) in try await client.send(request) }
  }

  /// Runs a persisted query.
  ///
  /// - Parameters:
  ///   - query: the name of the query as `configuration/name`, for example `wknd-shared/adventures-all`.
  ///   - variables: the variables, in the order in which the URL contains them. The client sends variables that a URL
  ///     cannot carry by POST; such an answer is never cached.
  /// - Returns: the data, and also the errors when the answer is partial.
  /// - Throws: `ContentError` when the answer has no data.
  package nonisolated func execute(
    query: String, variables: JSONObject = [:], policy: Policy = .useCache
  ) async throws(ContentError) -> ContentResult {
    let asked = RecentAnswers.Key(query: query, variables: variables)
    if policy.allowsCache, let result = recent.result(for: asked, now: clock.seconds) { return result }
    return try await execute(asked, policy, isPatient: false)
  }

  /// The same, where the server gets all of its time.
  func executePatiently(query: String, variables: JSONObject) async throws(ContentError) -> ContentResult {
    try await execute(RecentAnswers.Key(query: query, variables: variables), .useCache, isPatient: true)
  }

  private func execute(
    _ asked: RecentAnswers.Key, _ policy: Policy, isPatient: Bool
  ) async throws(ContentError) -> ContentResult {
    let query = try PersistedQuery(asked.query.text, variables: asked.variables)
    let target = query.target
    if let obstacle = query.obstacle(to: target) { return try await post(query, because: obstacle) }
    let exchange = ServerExchange(
      "GET", configuration.origin + target, of: self, headers: Self.headers, maximumBodyBytes: limits.maximumBodyBytes)
    let check = AnswerCheck(configuration, query: quotable(query.path), hidden: credentials.hidden)
    let fetch = CachedFetch<GraphQLAnswer>(
      exchange: exchange, cache: cache,
      key: ResponseCache.Key(url: exchange.url, identity: configuration.authentication.identity), clock: clock,
      flights: flights,
      send: { exchange, tag, policy, isHurried throws(ContentError) in
        try await exchange.response(entityTag: tag, passesCaches: !policy.allowsCache, isHurried: isHurried)
      },
      read: { response throws(ContentError) in try check.answer(in: response) }, mayKeep: { $0.errors.isEmpty })
    recent.forget(asked)
    let found = try await fetch.run(policy, isPatient: isPatient)
    if let kept = found.kept, found.source == .cache {
      recent.keep(found.answer, of: kept, for: asked, now: clock.seconds)
    }
    return ContentResult(found)
  }

  private func post(
    _ query: PersistedQuery, because obstacle: PersistedQuery.Obstacle
  ) async throws(ContentError) -> ContentResult {
    let body = JSONCoding.text(of: ["variables": .object(query.variables)])
    let exchange = ServerExchange(
      "POST", configuration.origin + query.endpoint, of: self, headers: Self.headers, body: Array(body.utf8),
      maximumBodyBytes: limits.maximumBodyBytes)
    let check = AnswerCheck(
      configuration, query: quotable(query.path), hidden: credentials.hidden, obstacle: obstacle)
    let response = try await exchange.response(entityTag: nil, passesCaches: true)
    let answer = try check.answer(in: response)
    return ContentResult(
      data: answer.data, errors: answer.errors, httpStatus: response.status, source: .network,
      ageSeconds: response.ageSeconds)
  }

  private static let headers: HTTPFields = ["Accept": "application/json", "Content-Type": "application/json"]
}

extension ContentResult {
  fileprivate init(_ found: CachedFetch<GraphQLAnswer>.Outcome) {
    self.init(
      data: found.answer.data, errors: found.answer.errors, httpStatus: found.status, source: found.source,
      ageSeconds: found.age, staleReason: found.staleReason, isRefreshDue: found.isRefreshDue)
  }
}
