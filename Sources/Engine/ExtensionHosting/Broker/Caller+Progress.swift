import JSONRPC

extension Caller {
  /// Reports the progress of the call that is being served, if the caller asked for reports.
  ///
  /// - Parameters:
  ///   - progress: a number larger than in the last report.
  ///   - total: the value of `progress` at the end, when it is known.
  ///   - message: one line for the user.
  public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    ProgressReporter.current?.report(CallProgress(progress, total: total, message: message))
  }
}
