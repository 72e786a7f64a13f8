internal import JSONRPC

/// Keeps what servers answer, and tells those who follow a result when it is another, whatever made it so.
final class Keeper: Sendable {
  let observers = Observers()
  private let cache: ResultCache

  init(_ cache: ResultCache) { self.cache = cache }

  /// What is kept and may be given by a policy; `nil` when the server has to be asked.
  func response(_ key: String, in scope: CacheScope, _ use: CacheUse, _ policy: FetchPolicy) async -> DataResponse? {
    guard policy != .serverOnly, let kept = await cache.result(key, in: scope, use) else { return nil }
    guard policy == .cacheOnly || kept.isFresh else { return nil }
    return DataResponse(data: kept.data, source: .cache)
  }

  /// Keeps what came of an operation.
  ///
  /// - Parameter isDelivered: whether those who follow the operation have its answer already.
  func keep(
    _ answer: ServerAnswer, of operation: DataOperation, key: String, in scope: CacheScope, _ use: CacheUse,
    isDelivered: Bool = false
  ) async {
    var changed: Set<String>
    switch operation.kind {
    case .query: changed = await cache.store(answer, key: key, in: scope, use)
    case .mutation: changed = await cache.touch(answer, in: scope)
    }
    if isDelivered { changed.remove(key) }
    for key in changed {
      guard let use = observers.use(of: key, in: scope), let kept = await cache.result(key, in: scope, use) else {
        continue
      }
      observers.publish(DataResponse(data: kept.data, source: .cache), key: key, in: scope)
    }
  }

  /// Closes the files; they are opened again when they are needed.
  func close() async { await cache.close() }
}
