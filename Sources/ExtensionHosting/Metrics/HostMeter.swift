import ExtensionProtocol
import Synchronization

/// Counts what a host does, for ``HostMetrics``: a few additions under a lock.
final class HostMeter: Sendable {
  private let metrics = Mutex(HostMetrics())

  var snapshot: HostMetrics { metrics.withLock { $0 } }

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

  /// A call has ended.
  ///
  /// - Parameter point: the short name of the extension's point, of the host's table.
  func call(_ direction: CallRecorder.Direction, _ point: String, took nanoseconds: UInt64, failed: Bool) {
    metrics.withLock { metrics in
      switch direction {
      case .call: metrics.calls[point, default: .init()].add(nanoseconds, failed: failed)
      case .served: metrics.served[point, default: .init()].add(nanoseconds, failed: failed)
      }
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
