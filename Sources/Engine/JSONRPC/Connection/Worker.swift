/// The running task of a worker.
///
/// An object made once for each task, in place of the bare handle: a table of handles, whose layout only the runtime
/// knows, costs more with every message than finding a task and cancelling it.
///
/// `@safe` and `@unchecked Sendable`, because: the worker itself creates the object and calls `end` before it returns,
/// all on the loop's thread, so that a task that is cancelled still exists.
@safe
final class RunningTask: @unchecked Sendable {
  private var task: UnsafeCurrentTask?

  /// The task that calls this.
  init() { unsafe task = unsafe withUnsafeCurrentTask { unsafe $0 } }

  func cancel() { unsafe task?.cancel() }

  /// Forgets the task, which is about to return.
  func end() { unsafe task = nil }
}

/// A task that waits for more messages to work on.
///
/// `@safe`, because: a worker is taken out of the list of idle ones before it is resumed, on the loop's thread
/// only.
@safe
struct IdleWorker {
  private let continuation: UnsafeContinuation<Bool, Never>

  init(_ continuation: UnsafeContinuation<Bool, Never>) { unsafe self.continuation = continuation }

  /// - Parameter isNeeded: false ends it.
  func resume(_ isNeeded: Bool) { unsafe continuation.resume(returning: isNeeded) }
}
