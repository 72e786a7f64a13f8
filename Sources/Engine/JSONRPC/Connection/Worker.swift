/// The task of a worker, for as long as it runs.
///
/// A class that is made once a task, and not the handle alone: a table of handles, whose layout only the runtime knows,
/// costs more with every message than finding a task and cancelling it.
///
/// `@safe` and `@unchecked Sendable`, because: the worker itself makes it and calls `end` before it ends, and all of it
/// happens on the loop's thread, where the task runs: a task that is cancelled is alive.
@safe
final class RunningTask: @unchecked Sendable {
  private var task: UnsafeCurrentTask?

  /// The task that calls this.
  init() { unsafe task = unsafe withUnsafeCurrentTask { unsafe $0 } }

  func cancel() { unsafe task?.cancel() }

  /// The task is over.
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
