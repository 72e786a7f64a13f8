internal import Synchronization

/// Cancels the task that runs ``during(_:)``, from any thread. It is for tasks that end with that work: a task that was
/// cancelled stays so. No task is made, because a second one beside each connection would cost some kilobytes.
package final class TaskCanceller: Sendable {
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

  /// Creates a canceller of no task yet.
  package init() {}

  /// Runs the body as part of the current task, which ``cancel()`` cancels meanwhile, or at once if it was called before.
  ///
  /// - Throws: what the body throws.
  package func during<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    let handle = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe Handle(task: $0) } }
    state.withLock { state in
      guard let handle else { return }
      if case .cancelled = state { return unsafe handle.task.cancel() }
      state = .running(handle)
    }
    defer {
      state.withLock { state in
        if case .running = state { state = .idle }
      }
    }
    return try await body()
  }

  /// Cancels the task that is inside of ``during(_:)``, and any that enters it later. Does nothing to a task that has
  /// left it.
  package func cancel() {
    state.withLock { state in
      if case .running(let handle) = state { unsafe handle.task.cancel() }
      state = .cancelled
    }
  }
}

/// Waits until the task is cancelled, and not longer.
package func untilCancelled() async {
  // Nobody yields.
  let (stream, source) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  source.finish()
}
