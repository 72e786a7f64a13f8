import ExtensionProtocol
import Synchronization

/// A process that one or several callers wait for.
final class WarmOrder: Sendable {
  private enum State {
    case open([CheckedContinuation<Result<Void, ExtensionError>, Never>])
    case done(Result<Void, ExtensionError>)
  }

  let target: LaunchTarget
  /// The version that stays in use when this one fails; `nil` when there is none.
  let replaces: String?
  private let state = Mutex(State.open([]))

  init(target: LaunchTarget, replaces: String?) {
    self.target = target
    self.replaces = replaces
  }

  /// The first end counts.
  func finish(throwing error: ExtensionError? = nil) {
    let result: Result<Void, ExtensionError> = error.map { .failure($0) } ?? .success(())
    let waiters: [CheckedContinuation<Result<Void, ExtensionError>, Never>] = state.withLock { state in
      guard case .open(let waiters) = state else { return [] }
      state = .done(result)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: result) }
  }

  /// Waits for the process to be ready; the launch has a deadline of its own.
  func value() async throws(ExtensionError) {
    let result = await withCheckedContinuation { continuation in
      let known: Result<Void, ExtensionError>? = state.withLock { state in
        switch state {
        case .done(let result): return result
        case .open(let waiters):
          state = .open(waiters + [continuation])
          return nil
        }
      }
      if let known { continuation.resume(returning: known) }
    }
    try result.get()
  }
}
