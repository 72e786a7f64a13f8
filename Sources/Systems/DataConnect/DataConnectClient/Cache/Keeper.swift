internal import EventLoop
import Time

/// Caches the server's answers, and notifies followers of a result when any operation changes it.
final class Keeper: Sendable {
  let observers = Observers()
  private let cache: ResultCache
  private let clock: WallClock
  private let recent = RecentResults()

  init(_ configuration: DataConnectClient.Configuration) {
    clock = configuration.clock
    cache = ResultCache(configuration, recent, observers)
  }

  /// Returns the cached response that a policy permits; `nil` when the server must be asked.
  func response(
    to operation: DataOperation, in scope: CacheScope, _ use: CacheSettings, _ policy: QueryFetchPolicy
  ) async -> DataResponse? {
    guard policy != .serverOnly, let kept = await kept(operation, in: scope) else { return nil }
    let isFresh = kept.isFresh(now: clock.milliseconds, maximumAge: Int(use.maxAge.wholeMilliseconds))
    guard policy == .cacheOnly || isFresh else { return nil }
    return DataResponse(data: kept.data, source: .cache)
  }

  private func kept(_ operation: DataOperation, in scope: CacheScope) async -> KeptResult? {
    let now = clock.milliseconds
    if let recent = recent.result(of: operation, in: scope, now: now) { return recent }
    let changes = recent.changes
    guard let kept = await cache.result(operation.key, in: scope) else { return nil }
    recent.put(kept, of: operation, in: scope, since: changes, now: now)
    return kept
  }

  /// Gives what is kept of a query, fresh or not, in turn with what is kept meanwhile.
  ///
  /// - Returns: whether something was.
  func give(_ operation: DataOperation, in scope: CacheScope, to sink: Observers.Sink) async -> Bool {
    await cache.give(operation.key, in: scope, to: sink)
  }

  /// Caches the result of an operation.
  ///
  /// - Parameter sinks: the followers that receive this answer in any case; `nil` when no follower of the operation has
  ///   received it yet.
  func keep(
    _ answer: DataResponse, of operation: DataOperation, in scope: CacheScope, _ use: CacheSettings,
    sinks: [Observers.Sink]? = nil
  ) async {
    await cache.keep(answer, of: operation, in: scope, use, sinks: sinks)
  }

  /// Closes the files; they are opened again when they are needed.
  func close() async { await cache.close() }
}
