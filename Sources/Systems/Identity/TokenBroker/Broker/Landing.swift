internal import Synchronization

/// Where somebody waits for the end of a refresh that somebody else makes; a cancelled one waits no longer.
final class Landing: Sendable {
  /// How the wait ended.
  enum Outcome: Sendable {
    case landed(TokenAsk, Result<CachedAccessToken, AuthError>)
    /// Whoever made the refresh gave it up: look again.
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
