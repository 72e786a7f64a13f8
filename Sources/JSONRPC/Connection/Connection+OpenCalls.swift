import Synchronization

extension Connection {
  /// The id of the call that has waited longest for its answer; `nil` when none waits.
  package nonisolated var oldestCall: Int64? { shared.withLock { $0.calls.oldest } }
}
