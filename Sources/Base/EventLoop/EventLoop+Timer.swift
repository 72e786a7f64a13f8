import Synchronization

/// A timer that has been set. Belongs to the loop that set it.
package struct TimerToken: Hashable, Sendable {
  let id: UInt64
}

extension EventLoop {
  /// Calls `action` once on the loop's thread, `delay` from now, with the precision of a millisecond.
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerToken {
    schedule(at: now &+ delay.wholeNanoseconds, action)
  }

  /// Calls `action` once when the monotonic clock has reached `time`, in the nanoseconds of `now`.
  package func schedule(at time: UInt64, _ action: @escaping () -> Void) -> TimerToken {
    requireLoop()
    return TimerToken(id: timers.add(at: time, action))
  }

  /// Forgets a timer; one that has fired is no error.
  package func cancel(_ timer: TimerToken) {
    requireLoop()
    timers.cancel(timer.id)
  }

  /// Suspends the task for `delay` on the loop's clock.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(for delay: Duration) async throws {
    let sleeper = Sleeper(on: self)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.start($0, delay) }
    } onCancel: {
      sleeper.cancel()
    }
  }
}

extension Duration {
  /// Nanoseconds, not below 0 and not above 292 years.
  package var wholeNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    // Up to 18 seconds no division is wider than the processor's own.
    if let attoseconds = UInt64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    let (seconds, attoseconds) = components
    guard seconds < 9_000_000_000 else { return UInt64(Int64.max) }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// Milliseconds, not below 0 and not above 292 years.
  package var wholeMilliseconds: Int64 { Int64(wholeNanoseconds / 1_000_000) }
}

/// One suspended task: continued once, by its timer or by a cancellation, whichever is first.
private final class Sleeper: Sendable {
  private enum State {
    case created
    case cancelledEarly
    case waiting(CheckedContinuation<Void, any Error>, TimerToken?)
    case done
  }

  private let loop: EventLoop
  private let state = Mutex(State.created)

  init(on loop: EventLoop) { self.loop = loop }

  func start(_ continuation: CheckedContinuation<Void, any Error>, _ delay: Duration) {
    let isCancelled = state.withLock { state in
      if case .cancelledEarly = state { return true }
      state = .waiting(continuation, nil)
      return false
    }
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    loop.execute { [self, loop] in
      guard isWaiting else { return }
      let timer = loop.schedule(after: delay) { self.take()?.continuation.resume() }
      if !keep(timer) { loop.cancel(timer) }
    }
  }

  /// The timer goes with the sleep: it may be set for an hour, and would hold this object until then.
  func cancel() {
    guard let (continuation, timer) = take(orElse: .cancelledEarly) else { return }
    continuation.resume(throwing: CancellationError())
    if let timer { loop.execute { [loop] in loop.cancel(timer) } }
  }

  private var isWaiting: Bool {
    state.withLock { if case .waiting = $0 { true } else { false } }
  }

  /// - Returns: whether the task still waits for it.
  private func keep(_ timer: TimerToken) -> Bool {
    state.withLock { state in
      guard case .waiting(let continuation, _) = state else { return false }
      state = .waiting(continuation, timer)
      return true
    }
  }

  private func take(
    orElse next: State = .done
  ) -> (continuation: CheckedContinuation<Void, any Error>, timer: TimerToken?)? {
    state.withLock { state in
      switch state {
      case .waiting(let continuation, let timer):
        state = .done
        return (continuation, timer)
      case .created:
        state = next
        return nil
      case .cancelledEarly, .done: return nil
      }
    }
  }
}
