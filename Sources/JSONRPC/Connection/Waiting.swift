/// A caller that waits for an answer.
///
/// `@safe`, because: whoever resumes one has taken it out of the table of calls, under the lock, or was given it before
/// it came there: it is resumed exactly once.
@safe
struct Waiter: Sendable {
  private let continuation: UnsafeContinuation<Answer, Never>

  init(_ continuation: UnsafeContinuation<Answer, Never>) { unsafe self.continuation = continuation }

  func resume(_ answer: Answer) { unsafe continuation.resume(returning: answer) }
}

/// A place at which one task waits to be told to go on. Belongs to the loop's thread.
///
/// `@safe`, because: the continuation is taken out of its place before it is resumed.
@safe
struct WaitingPlace {
  private var continuation: UnsafeContinuation<Void, Never>?

  mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    precondition(unsafe self.continuation == nil, "two tasks wait at one place")
    unsafe self.continuation = continuation
  }

  mutating func resume() {
    guard let waiting = unsafe continuation else { return }
    unsafe continuation = nil
    unsafe waiting.resume()
  }
}

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
/// `@safe`, because: a worker is taken out of the list of those that rest before it is resumed, on the loop's thread
/// only.
@safe
struct RestingWorker {
  private let continuation: UnsafeContinuation<Bool, Never>

  init(_ continuation: UnsafeContinuation<Bool, Never>) { unsafe self.continuation = continuation }

  /// - Parameter isNeeded: false ends it.
  func resume(_ isNeeded: Bool) { unsafe continuation.resume(returning: isNeeded) }
}
