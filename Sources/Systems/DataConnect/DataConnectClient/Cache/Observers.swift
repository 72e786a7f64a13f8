internal import Synchronization

/// The followers of cached results.
final class Observers: Sendable {
  typealias Sink = @Sendable (Result<DataResponse, DataConnectFailure>) -> Void

  private struct State {
    var byScope: [CacheScope: [String: [UInt64: Sink]]] = [:]
    /// The scope and the key of each follower.
    var places: [UInt64: (scope: CacheScope, key: String)] = [:]
  }

  private let state = Mutex(State())

  func add(_ id: UInt64, key: String, in scope: CacheScope, sink: @escaping Sink) {
    state.withLock { state in
      state.byScope[scope, default: [:]][key, default: [:]][id] = sink
      state.places[id] = (scope, key)
    }
  }

  func remove(_ id: UInt64) {
    state.withLock { state in
      guard let (scope, key) = state.places.removeValue(forKey: id) else { return }
      state.byScope[scope]?[key]?[id] = nil
      if state.byScope[scope]?[key]?.isEmpty == true { state.byScope[scope]?[key] = nil }
      if state.byScope[scope]?.isEmpty == true { state.byScope[scope] = nil }
    }
  }

  func isObserved(_ key: String, in scope: CacheScope) -> Bool {
    state.withLock { $0.byScope[scope]?[key] != nil }
  }

  func publish(_ response: DataResponse, key: String, in scope: CacheScope) {
    let sinks = state.withLock { $0.byScope[scope]?[key].map { Array($0.values) } } ?? []
    for sink in sinks { sink(.success(response)) }
  }
}
