internal import Synchronization

/// Requests on their way from the thread of the server to its task.
///
/// An `AsyncStream` would drop what it holds when its task is cancelled; here every request reaches a handler.
final class ExchangeQueue: Sendable {
  private struct State {
    var waiting: [Exchange] = []
    var consumer: CheckedContinuation<Exchange?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// False when the queue is finished: nobody will answer.
  func append(_ exchange: Exchange) -> Bool {
    let (accepted, consumer) = state.withLock { state -> (Bool, CheckedContinuation<Exchange?, Never>?) in
      if state.isFinished { return (false, nil) }
      if let consumer = state.consumer {
        state.consumer = nil
        return (true, consumer)
      }
      state.waiting.append(exchange)
      return (true, nil)
    }
    consumer?.resume(returning: exchange)
    return accepted
  }

  /// The next request; nil when the queue is finished and empty. For one consumer.
  func next() async -> Exchange? {
    await withCheckedContinuation { continuation in
      let (exchange, isReady) = state.withLock { state -> (Exchange?, Bool) in
        if !state.waiting.isEmpty { return (state.waiting.removeFirst(), true) }
        if state.isFinished { return (nil, true) }
        state.consumer = continuation
        return (nil, false)
      }
      if isReady { continuation.resume(returning: exchange) }
    }
  }

  /// What waits is still given out; nothing more is accepted.
  func finish() {
    let consumer = state.withLock { state -> CheckedContinuation<Exchange?, Never>? in
      state.isFinished = true
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume(returning: nil)
  }
}
