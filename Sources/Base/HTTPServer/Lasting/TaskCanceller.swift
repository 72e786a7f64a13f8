internal import Synchronization

/// Cancels what a task does, from any thread, as long as it lasts. A task beside it, which waits for the reason, would cost
/// each connection some kilobytes.
final class TaskCanceller: Sendable {
  /// `@unchecked Sendable`, because: it is used under the lock, while the task that it stands for is inside of `during`.
  @safe private struct Handle: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private enum State {
    case idle
    case running(Handle)
    case cancelled
  }

  private let state = Mutex(State.idle)

  /// Runs the body as part of the current task, which is cancelled when somebody says so, before or meanwhile.
  func during(_ body: () async -> Void) async {
    let handle = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe Handle(task: $0) } }
    state.withLock { state in
      guard let handle else { return }
      if case .cancelled = state { return unsafe handle.task.cancel() }
      state = .running(handle)
    }
    await body()
    state.withLock { state in
      if case .running = state { state = .idle }
    }
  }

  func cancel() {
    state.withLock { state in
      if case .running(let handle) = state { unsafe handle.task.cancel() }
      state = .cancelled
    }
  }
}
