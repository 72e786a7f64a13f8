import Synchronization

/// Notifies parts of a command of the first SIGINT, SIGTERM or SIGHUP before the command is cancelled, so that they can
/// still send messages to an extension. A second signal ends the process at once.
package final class Interruption: Sendable {
  private struct State {
    var listener: (@Sendable () -> Void)?
    var signal: Int32?
  }

  private let state = Mutex(State())

  /// Creates an interruption that no part of the command waits for yet.
  package init() {}

  /// The signal that a listener took.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// Runs the body; a signal that comes meanwhile goes to the listener, and cancels nothing.
  package func heard<Value>(by listener: @escaping @Sendable () -> Void, _ body: () async throws -> Value)
    async rethrows
    -> Value
  {
    state.withLock { $0.listener = listener }
    defer { state.withLock { $0.listener = nil } }
    return try await body()
  }

  /// Hands a signal to the listener.
  ///
  /// - Returns: whether there is a listener.
  package func take(_ signal: Int32) -> Bool {
    let listener = state.withLock { state in
      if state.listener != nil { state.signal = signal }
      return state.listener
    }
    listener?()
    return listener != nil
  }
}
