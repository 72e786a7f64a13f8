import ExtensionProtocol
import Synchronization

/// A process that somebody waits for.
final class WarmOrder: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Result<Void, ExtensionError>, Never>)
    case done(Result<Void, ExtensionError>)
  }

  let target: LaunchTarget
  /// The version that goes on when this one fails; `nil` when there is none.
  let replaces: String?
  private let state = Mutex(State.open)

  init(target: LaunchTarget, replaces: String?) {
    self.target = target
    self.replaces = replaces
  }

  /// The first end counts.
  func finish(throwing error: ExtensionError? = nil) {
    let result: Result<Void, ExtensionError> = error.map { .failure($0) } ?? .success(())
    let waiter: CheckedContinuation<Result<Void, ExtensionError>, Never>? = state.withLock { state in
      switch state {
      case .done: return nil
      case .open:
        state = .done(result)
        return nil
      case .waiting(let continuation):
        state = .done(result)
        return continuation
      }
    }
    waiter?.resume(returning: result)
  }

  /// Waits for the process to be ready. Once only; the launch has a deadline of its own.
  func value() async throws(ExtensionError) {
    let result = await withCheckedContinuation { continuation in
      let known: Result<Void, ExtensionError>? = state.withLock { state in
        if case .done(let result) = state { return result }
        state = .waiting(continuation)
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
    try result.get()
  }
}
