internal import ConfigurationFiles
import Time

extension TokenBroker {
  /// A token that was got, or came, after this call. Falls back on one of the cache while the server is down.
  func refreshed(_ ask: TokenAsk) async throws(AuthError) -> AccessToken {
    do throws(AuthError) {
      return answer(try await landed(ask), .identityProvider)
    } catch {
      guard error.isTransient || error.kind == .busy, !ask.isForced,
        let token = try await cache.contents().accessToken(for: ask.scopes, of: ask.identity, within: ask.limit),
        token.secret != ask.refused?.secret
      else { throw error }
      switch token.freshness(now: clock.seconds) {
      case .fresh, .due: return answer(token, .cache)
      case .extended: return answer(token, .extended)
      case .over: throw error
      }
    }
  }

  private func landed(_ ask: TokenAsk) async throws(AuthError) -> CachedAccessToken {
    // Each round waits for one refresh of another caller; the bound ends a caller that always comes second.
    for _ in 0..<64 {
      if Task.isCancelled { throw .cancelled }
      guard flights[ask.identity] != nil else { return try await lead(ask).get() }
      let landing = Landing()
      flights[ask.identity]?.append(landing)
      switch await landing.wait() {
      case .cancelled: throw .cancelled
      case .abandoned: continue
      case .landed(let flown, let result):
        if case .failure(let error) = result, error.kind == .cancelled { continue }
        if flown.isSame(as: ask) { return try result.get() }
        // A server that is down is so for everybody.
        if case .failure(let error) = result, error.isTransient { throw error }
        if let token = ask.answer(in: try await cache.contents(), now: clock.seconds) { return token }
      }
    }
    throw AuthError(.busy, "Too many refreshes of this account are made at the same time.", recovery: "Try again.")
  }

  /// Makes the refresh, or has ``run()`` make it, so that a caller can leave.
  private func lead(_ ask: TokenAsk) async -> Result<CachedAccessToken, AuthError> {
    flights[ask.identity] = []
    guard let jobs else { return await fly(ask) }
    let landing = Landing()
    flights[ask.identity] = [landing]
    queued.insert(ask.identity)
    jobs.yield(ask)
    switch await landing.wait() {
    case .landed(_, .failure(let error)) where error.kind == .cancelled && !Task.isCancelled: break
    case .landed(_, let result): return result
    case .cancelled: return .failure(.cancelled)
    case .abandoned: break
    }
    // What ended with the broker is no wish of this caller.
    return .failure(AuthError(.busy, "The broker that gets tokens is ending."))
  }

  private func fly(_ ask: TokenAsk) async -> Result<CachedAccessToken, AuthError> {
    let result = await refresh(ask)
    for landing in flights.removeValue(forKey: ask.identity) ?? [] { landing.end(.landed(ask, result)) }
    return result
  }

  // MARK: In the background

  /// Makes refreshes for callers until the task is cancelled; then ends those that have begun, and returns.
  package func run() async {
    guard jobs == nil else { return }
    let (stream, source) = AsyncStream<TokenAsk>.makeStream()
    jobs = source
    await withDiscardingTaskGroup { group in
      for await ask in stream {
        queued.remove(ask.identity)
        group.addTask { _ = await self.fly(ask) }
      }
      jobs = nil
      // What was asked for and not begun.
      for identity in queued {
        for landing in flights.removeValue(forKey: identity) ?? [] { landing.end(.abandoned) }
      }
      queued = []
    }
  }

  /// Starts a refresh in the background.
  ///
  /// - Returns: false when ``run()`` is not running.
  func refreshesEarly(_ ask: TokenAsk) -> Bool {
    guard let jobs else { return false }
    let now = clock.seconds
    let isRecent = lastEarlyRefresh[ask.identity].map { now >= $0 && now < $0 + Self.earlyPause } ?? false
    if flights[ask.identity] != nil || isRecent { return true }
    lastEarlyRefresh[ask.identity] = now
    flights[ask.identity] = []
    queued.insert(ask.identity)
    jobs.yield(ask)
    return true
  }

  /// Seconds between two refreshes in the background: tokens that live for less than the margin are always due.
  private static let earlyPause = 10
}
