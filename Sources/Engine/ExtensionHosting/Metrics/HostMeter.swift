import ExtensionProtocol
import Synchronization

/// Counts what a host does, for ``HostMetrics``: a few additions under a lock.
final class HostMeter: Sendable {
  private let metrics = Mutex(HostMetrics())
  /// By the short names of the extension points.
  private let points = Mutex<[String: PointMeter]>([:])

  var snapshot: HostMetrics {
    var metrics = metrics.withLock { $0 }
    for (name, meter) in points.withLock({ $0 }) {
      let (calls, served) = meter.snapshot
      if calls.times.count > 0 { metrics.calls[name] = calls }
      if served.times.count > 0 { metrics.served[name] = served }
    }
    return metrics
  }

  /// A request has ended.
  func request(of id: String, took nanoseconds: UInt64, error: (any Error)?) {
    metrics.withLock { metrics in
      metrics.extensions[Self.key(id, of: metrics), default: .init()].requests.add(nanoseconds, failed: error != nil)
      guard let error else { return }
      let code = (error as? ExtensionError)?.code
      let name = error is CancellationError ? "cancelled" : code.flatMap(Self.name) ?? "other"
      metrics.requestErrors[name] = (metrics.requestErrors[name] ?? 0).countingUp(1)
    }
  }

  /// A process of an extension has failed.
  func failure(of id: String, _ kind: FailureKind) {
    metrics.withLock { metrics in
      let key = Self.key(id, of: metrics)
      metrics.extensions[key, default: .init()].failures = (metrics.extensions[key]?.failures ?? 0).countingUp(1)
      metrics.failures[kind] = (metrics.failures[kind] ?? 0).countingUp(1)
    }
  }

  /// A launch has ended.
  func launch(took nanoseconds: UInt64, failed: Bool) {
    metrics.withLock { $0.launches.add(nanoseconds, failed: failed) }
  }

  /// A request was served by a process that was kept.
  func warm() { metrics.withLock { $0.warmRequests = $0.warmRequests.countingUp(1) } }

  /// Counts the calls of the extensions at one point.
  ///
  /// - Parameter name: the short name of the point, of the host's table.
  func meter(ofPoint name: String) -> PointMeter {
    points.withLock { points in
      if let known = points[name] { return known }
      let new = PointMeter()
      points[name] = new
      return new
    }
  }

  /// A connection has ended.
  func traffic(received: Int64, sent: Int64) {
    metrics.withLock { metrics in
      metrics.bytesReceived = metrics.bytesReceived.countingUp(received)
      metrics.bytesSent = metrics.bytesSent.countingUp(sent)
    }
  }

  private static func key(_ id: String, of metrics: HostMetrics) -> String {
    metrics.extensions[id] != nil || metrics.extensions.count < HostMetrics.extensionLimit ? id : "other"
  }

  /// The name of a code that the table has; an extension may send any.
  private static func name(_ code: ExtensionError.Code) -> String? {
    ExtensionError.Code.table.first { $0.code == code }?.code.name
  }
}

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
