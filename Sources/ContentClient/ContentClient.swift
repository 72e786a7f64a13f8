internal import HTTPClient
package import JSONRPC

/// Runs persisted queries of AEM and keeps the answers as their server allows.
///
/// Every answer is a result or a `ContentError`; nothing is retried but GET, and the whole takes a bounded time. A
/// request goes to the configured server only: redirects are not followed.
///
/// While an answer is fresh it comes from the cache. Later the server is asked whether it still holds. Within
/// `stale-while-revalidate` the server gets one second for that, then the older answer is given; there is no work
/// behind the caller's back. Within `stale-if-error` the older answer is given when the server fails for good.
package actor ContentClient {
  /// Whether the cache may answer alone.
  package enum Policy: Sendable {
    /// The cache answers while its answer is fresh, and when the server allows it for failures.
    case useCache
    /// The server answers, or confirms what the cache has. A failure is a failure.
    case revalidate
  }

  /// What bounds a request.
  package struct Limits: Sendable {
    /// Seconds for all exchanges of one call together, without the waits between them.
    package var timeout = 15.0
    /// Bytes of one answer, decompressed.
    package var maximumBodyBytes = 16 << 20
    /// Bytes of all answers in the cache.
    package var maximumCacheBytes = 64 << 20

    package init() {}
  }

  package nonisolated let configuration: ContentConfiguration
  let transport: ContentTransport
  let clock: ContentClock
  let limits: Limits
  let retries = RetryPolicy()
  private let cache: ResponseCache?
  private let recent = RecentAnswers()

  /// - Parameters:
  ///   - cachePath: the file of the cache, asked for at the first use; nil keeps nothing.
  ///   - transport: sends requests; nil uses HTTP.
  ///   - report: is called with one sentence when the cache cannot be used.
  package init(
    configuration: ContentConfiguration, cachePath: (@Sendable () throws -> String)? = nil,
    transport: ContentTransport? = nil, clock: ContentClock = .system, limits: Limits = Limits(),
    report: @escaping @Sendable (_ sentence: String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.clock = clock
    self.limits = limits
    self.transport = transport ?? Self.network()
    cache = cachePath.map { ResponseCache(path: $0, maximumBytes: limits.maximumCacheBytes, report: report) }
  }

  private static func network() -> ContentTransport {
    let client = HTTPClient()
    return { request throws(HTTPError) in try await client.send(request) }
  }

  /// Runs a persisted query.
  ///
  /// - Parameters:
  ///   - query: `configuration/name`, for example `wknd-shared/adventures-all`.
  ///   - variables: in the order in which they stand in the URL. A value with a semicolon, which a URL cannot carry, is
  ///     sent by POST; such an answer is never cached.
  /// - Returns: data, with errors when the answer was partial.
  /// - Throws: `ContentError` when there is no data.
  package nonisolated func execute(
    query: String, variables: JSONObject = [:], policy: Policy = .useCache
  ) async throws(ContentError) -> ContentResult {
    let asked = RecentAnswers.Key(query: query, variables: variables)
    if policy == .useCache, let (answer, age) = recent.answer(for: asked, now: clock.now()) {
      return ContentResult(
        data: answer.data, errors: answer.errors, httpStatus: 200, source: .cache, ageSeconds: age)
    }
    return try await execute(asked, policy)
  }

  private func execute(_ asked: RecentAnswers.Key, _ policy: Policy) async throws(ContentError) -> ContentResult {
    let query = try PersistedQuery(asked.query, variables: asked.variables)
    guard query.fitsURL else { return try await post(query) }
    let exchange = ContentExchange(client: self, query: query, method: "GET")
    guard let cache else {
      let response = try await exchange.response(entityTag: nil, policy: policy)
      return try exchange.result(of: response)
    }
    let key = ResponseCache.Key(url: exchange.url, identity: configuration.authentication.identity)
    let kept = await cache.answer(for: key, now: clock.now())
    if policy == .useCache, let kept, kept.freshness(now: clock.now()) == .fresh,
      let answer = try? exchange.answer(body: kept.body)
    {
      recent.keep(answer, of: kept, for: asked, now: clock.now())
      return result(of: kept, answer, source: .cache)
    }
    recent.forget(asked)
    do throws(ContentError) {
      return try await ask(exchange, kept: kept, key: key, cache: cache, policy: policy)
    } catch {
      guard policy == .useCache, error.allowsStale, let kept, kept.mayReplaceFailure(now: clock.now()),
        let result = result(of: kept, for: exchange, source: .stale)
      else { throw error }
      return result
    }
  }

  /// Asks the server and keeps what it says.
  private func ask(
    _ exchange: ContentExchange, kept: CachedAnswer?, key: ResponseCache.Key, cache: ResponseCache, policy: Policy
  ) async throws(ContentError) -> ContentResult {
    let isHurried = policy == .useCache && kept?.freshness(now: clock.now()) == .staleWhileRevalidate
    let response = try await exchange.response(entityTag: kept?.entityTag, policy: policy, isHurried: isHurried)
    if response.status == 304, var kept, kept.entityTag != nil {
      kept.renew(by: response, now: clock.now())
      if let result = result(of: kept, for: exchange, source: .revalidated) {
        if kept.isWorthKeeping {
          await cache.store(kept, for: key, now: clock.now())
        } else {
          await cache.remove(key)
        }
        return result
      }
      // What the server confirmed cannot be read any more: ask for it whole.
      await cache.remove(key)
      return try await ask(exchange, kept: nil, key: key, cache: cache, policy: policy)
    }
    let result = try exchange.result(of: response)
    let answer = CachedAnswer(response, now: clock.now())
    if result.errors == nil, answer.isWorthKeeping {
      await cache.store(answer, for: key, now: clock.now())
    } else if kept != nil {
      await cache.remove(key)
    }
    return result
  }

  private func post(_ query: PersistedQuery) async throws(ContentError) -> ContentResult {
    let exchange = ContentExchange(client: self, query: query, method: "POST")
    return try exchange.result(of: try await exchange.response(entityTag: nil, policy: .revalidate))
  }

  /// nil when the body, good when it was kept, cannot be read any more.
  private func result(
    of kept: CachedAnswer, for exchange: ContentExchange, source: ContentResult.Source
  ) -> ContentResult? {
    guard let answer = try? exchange.answer(body: kept.body) else { return nil }
    return result(of: kept, answer, source: source)
  }

  private func result(
    of kept: CachedAnswer, _ answer: GraphQLAnswer, source: ContentResult.Source
  ) -> ContentResult {
    ContentResult(
      data: answer.data, errors: answer.errors, httpStatus: 200, source: source, ageSeconds: kept.age(now: clock.now()))
  }
}
