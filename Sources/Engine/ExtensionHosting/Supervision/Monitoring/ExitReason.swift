/// The reason an extension's process ended.
public enum ExitReason: Sendable, Equatable {
  /// The process exited by itself with this status.
  case exited(Int32)
  /// A signal ended it, for example 11 for SIGSEGV.
  case crashed(Int32)
  /// A signal ended it when its memory, in bytes, had been close to the ceiling or beyond: an allocation that fails is
  /// the usual cause.
  case crashedNearCeiling(Int32, used: UInt64, ceiling: UInt64)
  /// The sandbox could not be set up, or the executable not started; the stage says where.
  case launchFailed(stage: String, errno: Int32)
  /// Ended for its memory, in bytes. Where the kernel bounds it, `used` is at most the ceiling.
  case memory(used: UInt64, ceiling: UInt64)
  /// Ended for its processor time: during one request, or with no request open.
  case cpu(used: Duration, ceiling: Duration, isIdle: Bool)
  /// Ended for what it keeps on the disk.
  case diskQuota(DiskExcess)
  /// Ended for the number of its threads.
  case threads(used: UInt64, ceiling: UInt64)
  /// Ended for what the host keeps in memory for it, in bytes.
  case hostMemory(held: UInt64, ceiling: UInt64)
  /// Ended because it did not answer the handshake in time.
  case handshakeTimeout
  /// Ended because it no longer showed that it was alive; the sentence says how that was seen.
  case watchdog(String)
  /// The host ended it, and why.
  case stopped(String)
  /// The process closed its standard output and had not exited some seconds later.
  case closedOutput
  /// Another process killed the sandbox and the extension with it, so that the exit status is unknown.
  case sandboxEnded
  /// The process is gone for an unknown reason.
  case unknown

  /// The reason as one word, for programs. It stays the same from version to version.
  public var kind: String {
    switch self {
    case .exited: "exited"
    case .crashed, .crashedNearCeiling: "crashed"
    case .launchFailed: "launchFailed"
    case .memory: "memory"
    case .cpu: "cpu"
    case .diskQuota: "diskQuota"
    case .threads: "threads"
    case .hostMemory: "hostMemory"
    case .handshakeTimeout: "handshakeTimeout"
    case .watchdog: "watchdog"
    case .stopped: "stopped"
    case .closedOutput: "closedOutput"
    case .sandboxEnded: "sandboxEnded"
    case .unknown: "unknown"
    }
  }

  /// Whether the host ended it because it used more than it may.
  public var isLimit: Bool {
    switch self {
    case .memory, .cpu, .diskQuota, .threads, .hostMemory: true
    default: false
    }
  }
}

/// More on the disk than an extension may keep there.
public struct DiskExcess: Sendable, Equatable {
  /// The units of a quota.
  public enum Unit: String, Sendable {
    /// The size of all files together.
    case bytes
    /// Files and folders, whatever their size.
    case files
    /// The extension keeps the host from counting; ``DiskExcess/ceiling`` is in bytes.
    case uncountable
  }

  /// The absolute path of the container.
  public var folder: String
  /// The amount that was counted before counting stopped; the real amount may be larger.
  public var used: UInt64
  /// The permitted amount.
  public var ceiling: UInt64
  /// The unit of ``used`` and ``ceiling``.
  public var unit: Unit

  /// Creates an excess.
  ///
  /// - Parameters:
  ///   - folder: the absolute path of the container.
  ///   - used: the counted amount.
  ///   - ceiling: the permitted amount.
  ///   - unit: the unit of both.
  public init(folder: String, used: UInt64, ceiling: UInt64, unit: Unit) {
    self.folder = folder
    self.used = used
    self.ceiling = ceiling
    self.unit = unit
  }

  /// `more than 256 MiB of files, and 256 MiB are allowed`
  var description: String {
    switch unit {
    case .bytes: "\(ByteText.of(used)) of files, and \(ByteText.of(ceiling)) are allowed"
    case .files: "\(used) files, and \(ceiling) are allowed"
    case .uncountable: "files that the host could not count, and \(ByteText.of(ceiling)) are allowed"
    }
  }
}
