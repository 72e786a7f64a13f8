/// What kind of failure ended a process of an extension, or kept one from starting.
public enum FailureKind: String, Sendable, Codable, CaseIterable {
  /// A signal ended it.
  case crashed
  /// It exited before it had answered.
  case exited
  /// It closed its end of the channel and lived on.
  case hungUp
  /// The sandbox could not be set up, or the executable not started.
  case launchFailed
  /// It did not answer `initialize` in time.
  case handshakeTimeout
  /// It did not answer another call in time.
  case deadline
  /// It missed two pings in a row.
  case hung
  /// What it sent could not be read.
  case protocolViolation
  /// It speaks no protocol version of this host.
  case versionMismatch
  /// It used more memory than it may.
  case memory
  /// It used more processor time than it may.
  case cpu
  /// It keeps more on the disk than it may.
  case diskQuota
  /// It had more threads than it may.
  case threads
  /// It made the host keep more in memory for it than it may.
  case hostMemory
  /// A handler of it threw an error that it did not expect; the process went on.
  case exception
  /// It is the record itself that could not be read: what was known of the extension is lost.
  case recordDamaged

  /// Whether a failure counts towards back-off and quarantine. The other kinds last until a file or the machine
  /// changes, are no failures of the extension, or leave the process as well as it was, so a quarantine would save nothing.
  public var counts: Bool {
    switch self {
    case .launchFailed, .versionMismatch, .exception, .recordDamaged: false
    case .crashed, .exited, .hungUp, .handshakeTimeout, .deadline, .hung, .protocolViolation: true
    case .memory, .cpu, .diskQuota, .threads, .hostMemory: true
    }
  }
}
