import ExtensionProtocol
import Synchronization

/// Counts the open scopes of a host, and prevents new ones while the host shuts down.
final class HostRequests: Sendable {
  private struct State {
    var count = 0
    var isClosed = false
    /// Called when the last request has ended.
    var waiter: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// - Throws: `shuttingDown` after ``close()``.
  func begin() throws(ExtensionError) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.count += 1 }
      return state.isClosed
    }
    if isClosed { throw .hostIsShut }
  }

  func end() {
    let waiter = state.withLock { state -> (@Sendable () -> Void)? in
      state.count -= 1
      return state.count == 0 ? state.waiter.take() : nil
    }
    waiter?()
  }

  var count: Int { state.withLock { $0.count } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Opens no more.
  ///
  /// - Returns: false when that was said before.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  /// Calls back when the last one has ended, at once when none is open.
  func whenAllHaveEnded(_ action: @escaping @Sendable () -> Void) {
    let isEmpty = state.withLock { state in
      if state.count > 0 { state.waiter = action }
      return state.count == 0
    }
    if isEmpty { action() }
  }
}

extension ExtensionError {
  /// The host takes no more requests.
  static let hostIsShut = ExtensionError(
    .shuttingDown, "The host is being shut down and takes no more requests.", recovery: "Ask the host that follows it.")
}
