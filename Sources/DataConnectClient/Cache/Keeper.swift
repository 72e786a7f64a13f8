internal import EventLoop

/// Keeps what servers answer, and tells those who follow a result when it is another, whatever made it so.
final class Keeper: Sendable {
  let observers = Observers()
  private let cache: ResultCache
  private let clock: DataConnectClock
  private let recent = RecentResults()

  init(_ cache: ResultCache, clock: DataConnectClock) {
    self.cache = cache
    self.clock = clock
  }

  /// What is kept and may be given by a policy; `nil` when the server has to be asked.
  func response(
    to operation: DataOperation, in scope: CacheScope, _ use: CacheUse, _ policy: FetchPolicy
  ) async -> DataResponse? {
    guard policy != .serverOnly, let kept = await kept(operation, in: scope) else { return nil }
    let isFresh = kept.isFresh(now: clock.now(), maximumAge: Int(use.maximumAge.wholeMilliseconds))
    guard policy == .cacheOnly || isFresh else { return nil }
    return DataResponse(data: kept.data, source: .cache)
  }

  private func kept(_ operation: DataOperation, in scope: CacheScope) async -> KeptResult? {
    let now = clock.now()
    if let recent = recent.result(of: operation, in: scope, now: now) { return recent }
    let changes = recent.changes
    guard let kept = await cache.result(operation.key, in: scope) else { return nil }
    recent.put(kept, of: operation, in: scope, since: changes, now: now)
    return kept
  }

  /// Keeps what came of an operation.
  ///
  /// - Parameter isDelivered: whether those who follow the operation have its answer already.
  func keep(
    _ answer: ServerAnswer, of operation: DataOperation, in scope: CacheScope, _ use: CacheUse,
    isDelivered: Bool = false
  ) async {
    let key = operation.key
    var changed: Set<String>
    switch operation.kind {
    case .query: changed = await cache.store(answer, key: key, in: scope, use)
    case .mutation: changed = await cache.touch(answer, in: scope)
    }
    recent.forget(scope)
    if isDelivered { changed.remove(key) }
    for key in changed {
      guard observers.isObserved(key, in: scope), let kept = await cache.result(key, in: scope) else {
        continue
      }
      observers.publish(DataResponse(data: kept.data, source: .cache), key: key, in: scope)
    }
  }

  /// Closes the files; they are opened again when they are needed.
  func close() async { await cache.close() }
}
