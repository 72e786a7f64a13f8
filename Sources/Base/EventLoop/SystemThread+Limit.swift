import Synchronization

extension SystemThread {
  /// Runs blocking work on a thread of its own, and waits for it until a limit has passed or the task is cancelled. The
  /// thread cannot be ended from outside: work that nobody waits for any more can ask, and what it makes in spite of that
  /// is discarded.
  ///
  /// - Parameters:
  ///   - name: shown by `ps -L`; the first 15 bytes count.
  ///   - limit: how long to wait.
  ///   - loop: whose clock counts.
  ///   - work: gets what tells whether it was abandoned.
  ///   - discard: gets what abandoned work made, on its thread.
  /// - Throws: `DeadlineExceeded`, `CancellationError`; else what the work throws.
  package static func run<Value: Sendable>(
    name: String, within limit: Duration, on loop: EventLoop,
    _ work: @escaping @Sendable (_ isAbandoned: @Sendable () -> Bool) throws -> Value,
    discard: @escaping @Sendable (Value) -> Void = { _ in }
  ) async throws -> Value {
    let waiting = WaitedWork<Value>()
    defer { waiting.cancelTimer(of: loop) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard waiting.begin(continuation) else { return }
        waiting.limit(limit, on: loop)
        let body: @Sendable () -> Void = {
          let outcome = Result { try work { waiting.isAbandoned } }
          if !waiting.finish(outcome), case .success(let value) = outcome { discard(value) }
        }
        if start(name: name, body) != 0 { body() }
      }
    } onCancel: {
      waiting.abandon(CancellationError())
    }
  }
}

/// Somebody who waits for a thread, until one of the two has enough.
private final class WaitedWork<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case running(CheckedContinuation<Value, any Error>)
    /// Nobody waits any more.
    case over(abandoned: (any Error)?)
  }

  private let state = Mutex(State.idle)
  private let timer = Mutex<TimerToken?>(nil)

  /// - Returns: false when it was abandoned before; the continuation knows.
  func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    let abandoned = state.withLock { state -> (any Error)? in
      if case .over(let error?) = state { return error }
      state = .running(continuation)
      return nil
    }
    if let abandoned { continuation.resume(throwing: abandoned) }
    return abandoned == nil
  }

  var isAbandoned: Bool {
    state.withLock { if case .over(_?) = $0 { true } else { false } }
  }

  /// - Returns: whether somebody waited.
  func finish(_ outcome: Result<Value, any Error>) -> Bool {
    guard let continuation = end(nil) else { return false }
    continuation.resume(with: outcome)
    return true
  }

  func abandon(_ error: any Error) { end(error)?.resume(throwing: error) }

  private func end(_ error: (any Error)?) -> CheckedContinuation<Value, any Error>? {
    state.withLock { state in
      switch state {
      case .over: return nil
      case .idle:
        state = .over(abandoned: error)
        return nil
      case .running(let continuation):
        state = .over(abandoned: error)
        return continuation
      }
    }
  }

  func limit(_ limit: Duration, on loop: EventLoop) {
    let arm: @Sendable () -> Void = { [self] in
      // It may be over before the loop hears of the limit.
      guard state.withLock({ if case .running = $0 { true } else { false } }) else { return }
      let token = loop.schedule(after: limit) { self.abandon(DeadlineExceeded(limit: limit)) }
      timer.withLock { $0 = token }
    }
    loop.isOnLoop ? arm() : loop.execute(arm)
  }

  func cancelTimer(of loop: EventLoop) {
    let cancel: @Sendable () -> Void = { [self] in
      if let token = timer.withLock({ $0.take() }) { loop.cancel(token) }
    }
    loop.isOnLoop ? cancel() : loop.execute(cancel)
  }
}
