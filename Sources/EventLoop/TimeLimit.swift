/// Runs `operation` as part of the current task, which is cancelled when `limit` has passed on the loop's clock.
///
/// Cheaper than `withDeadline`, as no task is made, and for tasks that end with the operation only: a limit that passed
/// leaves the task cancelled. On the loop's thread.
///
/// - Throws: `DeadlineExceeded` when the operation threw after the limit had passed, else what it throws.
package func withTimeLimit<Value: Sendable>(
  _ limit: Duration, on loop: EventLoop, _ operation: () async throws -> Value
) async throws -> Value {
  loop.requireLoop()
  var hasPassed = false
  // The handle is valid while this task runs, and the timer that holds it is cancelled before this call returns.
  let task = unsafe withUnsafeCurrentTask { unsafe $0 }
  let timer = loop.schedule(after: limit) {
    hasPassed = true
    unsafe task?.cancel()
  }
  defer { loop.cancel(timer) }
  do {
    return try await operation()
  } catch {
    throw hasPassed ? DeadlineExceeded(limit: limit) : error
  }
}
