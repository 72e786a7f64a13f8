/// The time an operation was given has passed.
package struct DeadlineExceeded: Error, Equatable, CustomStringConvertible {
  /// What it was given.
  package let limit: Duration
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
