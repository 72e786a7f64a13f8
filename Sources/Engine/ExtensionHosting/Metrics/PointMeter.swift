import Synchronization

/// Counts the calls of the extensions at one point: found once for a process, since every call is counted.
final class PointMeter: Sendable {
  private let counts = Mutex((calls: HostMetrics.Timing(), served: HostMetrics.Timing()))

  var snapshot: (calls: HostMetrics.Timing, served: HostMetrics.Timing) { counts.withLock { $0 } }

  /// A call has ended.
  func call(_ direction: CallRecorder.Direction, took nanoseconds: UInt64, failed: Bool) {
    counts.withLock { counts in
      switch direction {
      case .call: counts.calls.add(nanoseconds, failed: failed)
      case .served: counts.served.add(nanoseconds, failed: failed)
      }
    }
  }
}
