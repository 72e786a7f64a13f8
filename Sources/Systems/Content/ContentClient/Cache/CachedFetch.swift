internal import HTTPClient
import Time

/// One thing of the server by way of the cache: fresh from there, confirmed, replaced, or in place of a failure.
struct CachedFetch<Answer: Sendable>: Sendable {
  /// An answer and its origin.
  struct Outcome: Sendable {
    let answer: Answer
    var status = 200
    let source: ContentSource
    let age: Int
    var staleReason: String?
    var isRefreshDue = false
    /// The cached form of the answer; nil for an answer that has just arrived.
    var kept: CachedAnswer?
  }

  /// The key of a running request. Equal requests with equal time limits share one flight.
  struct Flight: Hashable {
    let key: ResponseCache.Key
    let policy: ContentClient.Policy
    let isHurried: Bool
  }

  let exchange: ServerExchange
  let cache: ResponseCache?
  let key: ResponseCache.Key
  let clock: WallClock
  let flights: SingleFlight<Flight, Outcome>
  /// Sends the request; redirects that may be followed are.
  let send:
    @Sendable (ServerExchange, _ tag: String?, ContentClient.Policy, _ isHurried: Bool)
      async
      throws(ContentError) -> HTTPResponse
  /// Checks and converts a response; throws the error of a response that is not usable.
  let read: @Sendable (HTTPResponse) throws(ContentError) -> Answer
  /// Whether it is whole.
  let mayKeep: @Sendable (Answer) -> Bool

  /// - Parameter isPatient: whether the server gets all of its time, though there is an older answer.
  func run(_ policy: ContentClient.Policy, isPatient: Bool = false) async throws(ContentError) -> Outcome {
    let kept = policy == .reload ? nil : await cache?.answer(for: key, now: clock.seconds)
    let freshness = kept?.freshness(now: clock.seconds)
    if policy.allowsCache, freshness == .fresh, let kept, let found = outcome(of: kept, .cache) { return found }
    if policy == .preferCache, freshness == .staleWhileRevalidate, let kept, var found = outcome(of: kept, .stale) {
      found.isRefreshDue = true
      return found
    }
    let isHurried = policy.allowsCache && !isPatient && freshness == .staleWhileRevalidate
    do throws(ContentError) {
      return try await flights.run(Flight(key: key, policy: policy, isHurried: isHurried)) {
        () throws(ContentError) in try await self.ask(policy, kept: kept, isHurried: isHurried)
      }
    } catch {
      guard policy.allowsCache, error.allowsStale, let kept, kept.mayReplaceFailure(now: clock.seconds),
        var found = outcome(of: kept, .stale)
      else { throw error }
      found.staleReason = error.message
      return found
    }
  }

  /// Asks the server and keeps what it says.
  private func ask(
    _ policy: ContentClient.Policy, kept: CachedAnswer?, isHurried: Bool
  ) async throws(ContentError) -> Outcome {
    let response = try await send(exchange, kept?.entityTag, policy, isHurried)
    if response.status == 304, var kept, kept.entityTag != nil {
      kept.renew(by: response, now: clock.seconds)
      guard let found = outcome(of: kept, .revalidated) else {
        // What the server confirmed cannot be read any more: ask for it whole.
        await cache?.remove(key)
        return try await ask(policy, kept: nil, isHurried: isHurried)
      }
      if kept.isWorthKeeping {
        await cache?.store(kept, for: key, now: clock.seconds)
      } else {
        await cache?.remove(key)
      }
      return found
    }
    let answer = try read(response)
    let kept = CachedAnswer(response, now: clock.seconds)
    if mayKeep(answer), kept.isWorthKeeping {
      await cache?.store(kept, for: key, now: clock.seconds)
    } else {
      await cache?.remove(key)
    }
    return Outcome(answer: answer, status: response.status, source: .network, age: response.ageSeconds)
  }

  /// Returns the outcome for a cached answer; nil when its body, valid at the time of storing, cannot be read any
  /// longer.
  private func outcome(of kept: CachedAnswer, _ source: ContentSource) -> Outcome? {
    let response = HTTPResponse(status: 200, body: kept.body, url: exchange.url)
    guard let answer = try? read(response) else { return nil }
    return Outcome(answer: answer, source: source, age: kept.age(now: clock.seconds), kept: kept)
  }
}
