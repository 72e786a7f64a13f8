internal import Synchronization

/// Runs equal work once: a caller that arrives while the work runs waits for the result. The first caller runs the work
/// in its own task; when that task is cancelled, one of the waiting callers starts the work again.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, ContentError>
  private typealias Waiter = CheckedContinuation<Outcome?, Never>

  private struct State {
    /// The waiting callers of each running work.
    var flights: [Key: [UInt64: Waiter]] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let state = Mutex(State())

  /// - Throws: what the work throws, and `cancelled` when the task of the caller is.
  func run(_ key: Key, _ work: () async throws(ContentError) -> Value) async throws(ContentError) -> Value {
    while true {
      if takesOff(key) {
        let outcome: Outcome
        do throws(ContentError) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        land(key, outcome)
        return try outcome.get()
      }
      if let outcome = await wait(for: key) { return try outcome.get() }
      if Task.isCancelled { throw .cancelled }
    }
  }

  private func takesOff(_ key: Key) -> Bool {
    state.withLock { state in
      if state.flights[key] != nil { return false }
      state.flights[key] = [:]
      return true
    }
  }

  private func land(_ key: Key, _ outcome: Outcome) {
    let waiters = state.withLock { $0.flights.removeValue(forKey: key) } ?? [:]
    var shared: Outcome? = outcome
    if case .failure(let error) = outcome, error.kind == .cancelled { shared = nil }
    for waiter in waiters.values { waiter.resume(returning: shared) }
  }

  /// Returns the result of the running work; nil when no caller runs it any longer, or when this caller is cancelled.
  private func wait(for key: Key) async -> Outcome? {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.flights[key] != nil, !Task.isCancelled else { return false }
          state.flights[key]?[number] = continuation
          return true
        }
        if !isWaiting { continuation.resume(returning: nil) }
      }
    } onCancel: {
      state.withLock { $0.flights[key]?.removeValue(forKey: number) }?.resume(returning: nil)
    }
  }
}
