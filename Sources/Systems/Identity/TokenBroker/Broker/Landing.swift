internal import Synchronization

/// A caller's wait for a refresh that another caller makes. Cancelling the caller's task ends the wait, and not the
/// refresh.
final class Landing: Sendable {
  /// How the wait ended.
  enum Outcome: Sendable {
    case landed(TokenAsk, Result<CachedAccessToken, AuthError>)
    /// The refresh was not made, because its caller left. The waiting caller checks the cache again.
    case abandoned
    case cancelled
  }

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Mutex(State())

  func end(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      if state.outcome == nil { state.outcome = outcome }
      return state.continuation.take()
    }
    continuation?.resume(returning: outcome)
  }

  func wait() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }
}
