internal import Synchronization

/// The lasting responses of one server, of which there may only be so many, and none once it stops.
final class LastingTable: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any LastingResponse] = [:]
    var isStopping = false
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = most }

  /// - Returns: false when there is no room, or the server stops.
  func add(_ response: any LastingResponse) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.open.count < most else { return false }
      state.open[ObjectIdentifier(response)] = response
      return true
    }
  }

  func remove(_ response: any LastingResponse) {
    state.withLock { $0.open[ObjectIdentifier(response)] = nil }
  }

  /// Ends all of them, in order; no more are taken.
  func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      return Array(state.open.values)
    }
    for response in open { response.stop() }
  }
}
