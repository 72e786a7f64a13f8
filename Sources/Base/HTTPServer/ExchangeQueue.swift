internal import Synchronization

/// What the task of the server has a child task for.
enum ServerWork {
  /// A request, on its way from the thread of the server.
  case exchange(Exchange)
  /// What a response goes on with. It has a task of its own, since that of a request keeps the memory that it once needed.
  case lasting(any LastingResponse)
}

/// Work on its way to the task of the server.
///
/// An `AsyncStream` would drop what it holds when its task is cancelled; here every request reaches a handler.
final class ExchangeQueue: Sendable {
  private struct State {
    var waiting: [ServerWork] = []
    var consumer: CheckedContinuation<ServerWork?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// False when the queue is finished: nobody will answer.
  func append(_ work: ServerWork) -> Bool {
    let (accepted, consumer) = state.withLock { state -> (Bool, CheckedContinuation<ServerWork?, Never>?) in
      if state.isFinished { return (false, nil) }
      if let consumer = state.consumer {
        state.consumer = nil
        return (true, consumer)
      }
      state.waiting.append(work)
      return (true, nil)
    }
    consumer?.resume(returning: work)
    return accepted
  }

  /// The next work; nil when the queue is finished and empty. For one consumer.
  func next() async -> ServerWork? {
    await withCheckedContinuation { continuation in
      let (work, isReady) = state.withLock { state -> (ServerWork?, Bool) in
        if !state.waiting.isEmpty { return (state.waiting.removeFirst(), true) }
        if state.isFinished { return (nil, true) }
        state.consumer = continuation
        return (nil, false)
      }
      if isReady { continuation.resume(returning: work) }
    }
  }

  /// What waits is still given out; nothing more is accepted.
  func finish() {
    let consumer = state.withLock { state -> CheckedContinuation<ServerWork?, Never>? in
      state.isFinished = true
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume(returning: nil)
  }
}
