internal import EventLoop
import Time

/// Keeps what servers answer, and tells those who follow a result when it is another, whatever made it so.
final class Keeper: Sendable {
  let observers = Observers()
  private let cache: ResultCache
  private let clock: WallClock
  private let recent = RecentResults()

  init(_ configuration: DataConnectClient.Configuration) {
    clock = configuration.clock
    cache = ResultCache(configuration, recent, observers)
  }

  /// What is kept and may be given by a policy; `nil` when the server has to be asked.
  func response(
    to operation: DataOperation, in scope: CacheScope, _ use: CacheUse, _ policy: FetchPolicy
  ) async -> DataResponse? {
    guard policy != .serverOnly, let kept = await kept(operation, in: scope) else { return nil }
    let isFresh = kept.isFresh(now: clock.milliseconds, maximumAge: Int(use.maximumAge.wholeMilliseconds))
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

  /// Keeps what came of an operation.
  ///
  /// - Parameter sinks: get the answer itself; `nil` when nobody has it yet who follows the operation.
  func keep(
    _ answer: ServerAnswer, of operation: DataOperation, in scope: CacheScope, _ use: CacheUse,
    sinks: [Observers.Sink]? = nil
  ) async {
    await cache.keep(answer, of: operation, in: scope, use, sinks: sinks)
  }

  /// Closes the files; they are opened again when they are needed.
  func close() async { await cache.close() }
}
