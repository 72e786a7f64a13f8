import CLinux
import EventLoop
import Synchronization

/// Reports the progress of one request to its caller.
package final class ProgressReporter: Sendable {
  /// Of the request that the running task serves; `nil` when its caller wants no reports.
  @TaskLocal package static var current: ProgressReporter?

  private let token: RequestID
  private let connection: Connection
  private let meter = Mutex(ProgressMeter())

  init(token: RequestID, connection: Connection) {
    self.token = token
    self.connection = connection
  }

  /// Sends a report, or keeps it for a moment: at most ten a second go out, and the last of several counts. One that
  /// does not grow is dropped.
  package func report(_ progress: CallProgress) {
    switch meter.withLock({ $0.report(progress, at: clinux_monotonic_nanoseconds()) }) {
    case .send: send(progress)
    case .keep(let time?):
      connection.onLoop { $0.remind(self, at: time) }
    case .keep(nil), .ignore: break
    }
  }

  /// The time of a report that was kept has come.
  func isDue() {
    if let kept = meter.withLock({ $0.due(at: clinux_monotonic_nanoseconds()) }) { send(kept) }
  }

  /// The request is about to be answered.
  func finish() { meter.withLock { $0.finish() } }

  /// A report that the queue does not take is lost: the next one says more.
  private func send(_ progress: CallProgress) {
    let notice = ProgressNotice(
      token: token, progress: progress.progress, total: progress.total, message: progress.message)
    try? connection.post(ProgressNotice.method, notice)
  }
}

extension Connection {
  fileprivate func remind(_ reporter: ProgressReporter, at time: UInt64) {
    _ = loop.schedule(at: time) { reporter.isDue() }
  }
}
