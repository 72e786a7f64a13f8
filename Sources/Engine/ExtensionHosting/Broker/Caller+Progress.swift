import JSONRPC

extension Caller {
  /// Tells the caller how far the call that is being served has come; one that did not ask does not hear.
  ///
  /// - Parameters:
  ///   - progress: more than the last time.
  ///   - total: what `progress` will be at the end, when that is known.
  ///   - message: one line for people.
  public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    ProgressReporter.current?.report(CallProgress(progress, total: total, message: message))
  }
}
