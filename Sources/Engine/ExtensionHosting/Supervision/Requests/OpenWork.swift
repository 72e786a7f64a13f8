import Synchronization

/// Requests that an extension works on while no call waits for an answer: between accepting one and completing it.
package final class OpenWork: Sendable {
  private struct State {
    var last: Int64 = 0
    var open: [Int64] = []
  }

  private let state = Mutex(State())

  /// - Returns: what ``end(_:)`` takes.
  func begin() -> Int64 {
    state.withLock {
      // Below zero, where no call's id is.
      $0.last -= 1
      $0.open.append($0.last)
      return $0.last
    }
  }

  func end(_ work: Int64) {
    state.withLock { state in state.open.removeAll { $0 == work } }
  }

  /// The one that has been open longest.
  var oldest: Int64? { state.withLock { $0.open.first } }
}
