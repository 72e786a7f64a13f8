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

/// The running task of a handler.
///
/// `@safe` and `@unchecked Sendable`, because: `Connection.perform` puts it into the table of requests, or of what fills
/// streams, and takes it out again within the task itself, and the tables are used on the loop's thread only, where that
/// task runs, too: a task in a table is alive, and it is cancelled on the thread it runs on.
@safe
struct RunningTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask

  init(_ task: UnsafeCurrentTask) { unsafe self.task = task }

  func cancel() { unsafe task.cancel() }
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
