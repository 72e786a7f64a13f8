import EventLoop
import Synchronization

/// Where one task at a time waits until something happens, its time is over, or it is cancelled.
final class Readiness: Sendable {
  enum Outcome: Sendable {
    case ready, timedOut, cancelled
  }

  private enum State {
    /// Nobody waits. What happened in the meantime is told to the next.
    case idle(Outcome?)
    case waiting(CheckedContinuation<Outcome, Never>)
  }

  private let state = Mutex(State.idle(nil))

  /// Something happened: whoever waits looks at what. From any thread.
  func send() { end(.ready) }

  private func end(_ outcome: Outcome) {
    let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .waiting(let continuation):
        state = .idle(nil)
        return continuation
      case .idle(.cancelled): break
      case .idle: state = .idle(outcome)
      }
      return nil
    }
    waiter?.resume(returning: outcome)
  }

  /// Waits on the loop's thread. May return `ready` when nothing has happened.
  ///
  /// - Parameters:
  ///   - end: monotonic nanoseconds, as of ``EventLoop/time``.
  ///   - minding: whether a cancellation ends the wait.
  ///   - isolation: the actor that waits. Said by name, so that the closures here run on it: they would otherwise go through
  ///     the threads that all tasks share, which may be busy.
  func wait(
    until end: UInt64, on loop: EventLoop, mindingCancellation minding: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Outcome {
    let timer = loop.schedule(at: end) { self.end(.timedOut) }
    defer { loop.cancel(timer) }
    // How an earlier wait might have ended is nothing to this one.
    state.withLock { state in
      switch state {
      case .idle(.cancelled), .idle(.timedOut): state = .idle(nil)
      case .idle, .waiting: break
      }
    }
    guard minding else { return await wait(isolation) }
    return await withTaskCancellationHandler {
      await wait(isolation)
    } onCancel: {
      self.end(.cancelled)
    }
  }

  private func wait(_ isolation: isolated (any Actor)?) async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome: Outcome? = state.withLock { state in
        if case .idle(let outcome?) = state {
          state = .idle(nil)
          return outcome
        }
        state = .waiting(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
