import JSONRPC

extension ExtensionContext {
  /// Tells the host how far this request has come; one that did not ask does not hear. A request that reports is given
  /// more time, up to a limit.
  ///
  /// - Parameters:
  ///   - progress: more than the last time; what does not grow is dropped. Ten reports a second go out at most, the last
  ///     of several counts.
  ///   - total: what `progress` will be at the end, when that is known.
  ///   - message: one line for people.
  public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    ProgressReporter.current?.report(CallProgress(progress, total: total, message: message))
  }
}
