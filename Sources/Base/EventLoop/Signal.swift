import Synchronization

/// Tells tasks that something has changed, again and again.
///
/// A waiter reads ``count``, looks at what it is interested in, and then waits for a count past that: a change in
/// between is not lost.
package final class Signal: Sendable {
  private struct State {
    var count: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// Cancelled before they waited.
    var cancelled: Set<UInt64> = []
  }

  private let state = Mutex(State())

  /// Creates a signal that was never sent.
  package init() {}

  /// How often the signal was sent.
  package var count: UInt64 { state.withLock { $0.count } }

  /// Wakes every waiter. From any thread.
  package func send() {
    let waiters = state.withLock { state in
      state.count += 1
      defer { state.waiters.removeAll() }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until the signal was sent more often than `count`.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func wait(past count: UInt64) async throws {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    // The cancellation may come when the wait is over already.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if state.count > count { return .success(()) }
          state.waiters[number] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.cancelled.insert(number) }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }
}

extension Signal {
  /// Waits until nothing was sent for a moment: several files that are saved together are one change, and a file that is
  /// being written is empty first.
  ///
  /// - Parameter most: so many pauses at most, so that somebody who sends without end is not waited for.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func settle(on loop: EventLoop, pause: Duration = .milliseconds(60), atMost most: Int = 16) async throws {
    for _ in 0..<most {
      let before = count
      try await loop.sleep(for: pause)
      if count == before { return }
    }
  }
}
