import EventLoop

/// Runs work until it is done, or until something else says that it is over, and cancels it then.
///
/// - Parameters:
///   - signals: the first value, or the end, says so.
///   - reason: what is thrown for that value; for `nil` when there was none.
/// - Throws: what the work throws, or the reason.
func interruptibly<Value: Sendable, Signal: Sendable>(
  by signals: AsyncStream<Signal>, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value,
  reason: @escaping @Sendable (Signal?) -> any Error
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask(executorPreference: loop) { try await work() }
    group.addTask(executorPreference: loop) {
      for await signal in signals { throw reason(signal) }
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else { throw reason(nil) }
    return value
  }
}
