/// Why an extension's process ended.
public enum ExitReason: Sendable, Equatable {
  /// It ended by itself with this status.
  case exited(Int32)
  /// A signal ended it, for example 11 for SIGSEGV.
  case crashed(Int32)
  /// The sandbox could not be set up, or the executable not started; the stage says where.
  case launchFailed(stage: String, errno: Int32)
  /// The host ended it, and why.
  case stopped(String)
  /// It is gone, and nothing told how.
  case unknown

  /// A sentence's predicate: `exited with status 3`.
  public var description: String {
    switch self {
    case .exited(0): "exited without an error (status 0)"
    case .exited(let status): "exited with status \(status)"
    case .crashed(let signal): "crashed with \(SignalName.of(signal))"
    case .launchFailed(let stage, let errno): "could not be started: \(stage): \(ErrnoText.of(errno))"
    case .stopped(let why): "was stopped by the host: \(why)"
    case .unknown: "is gone"
    }
  }
}
