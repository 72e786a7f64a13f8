/// The time an operation was given has passed.
package struct DeadlineExceeded: Error, Equatable, CustomStringConvertible {
  /// What it was given.
  package let limit: Duration
  /// One sentence with the limit.
  package var description: String { "It took longer than \(limit)." }
}

/// Runs `operation`, and cancels it when `limit` has passed on the loop's clock.
///
/// Structured: it returns when the operation has, so an operation that ignores cancellation is waited for.
///
/// - Throws: `DeadlineExceeded` when the time passed first, else what the operation throws.
package func withDeadline<Value: Sendable>(
  _ limit: Duration, on loop: EventLoop, operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask(executorPreference: loop) { try await operation() }
    group.addTask(executorPreference: loop) {
      try await loop.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else { throw DeadlineExceeded(limit: limit) }
    return value
  }
}

/// Runs `operation` as part of the current task, which is cancelled when `limit` has passed on the loop's clock.
///
/// Cheaper than `withDeadline`, as no task is made, and for tasks that end with the operation only: a limit that passed
/// leaves the task cancelled. On the loop's thread.
///
/// - Parameter held: returns for how many nanoseconds the limit has stood still so far; it is put off by them.
/// - Throws: `DeadlineExceeded` when the operation threw after the limit had passed, else what it throws.
package func withTimeLimit<Value: Sendable>(
  _ limit: Duration, on loop: EventLoop, held: @escaping () -> UInt64 = { 0 }, _ operation: () async throws -> Value
) async throws -> Value {
  loop.requireLoop()
  var hasPassed = false
  // The handle is valid while this task runs, and the timer that holds it is cancelled before this call returns.
  let task = unsafe withUnsafeCurrentTask { unsafe $0 }
  let due = loop.now &+ limit.wholeNanoseconds
  var timer: TimerToken?
  func arm(at time: UInt64) {
    timer = loop.schedule(at: time) {
      let putOff = due &+ held()
      // Not for every nanosecond of a time that still goes on.
      if putOff > loop.now { return arm(at: max(putOff, loop.now &+ 100_000_000)) }
      hasPassed = true
      unsafe task?.cancel()
    }
  }
  arm(at: due)
  defer { if let timer { loop.cancel(timer) } }
  do {
    return try await operation()
  } catch {
    throw hasPassed ? DeadlineExceeded(limit: limit) : error
  }
}
