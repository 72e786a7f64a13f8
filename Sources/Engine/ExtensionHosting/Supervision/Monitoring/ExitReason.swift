/// Why an extension's process ended.
public enum ExitReason: Sendable, Equatable {
  /// It ended by itself with this status.
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
  /// It closed its standard output, and had not ended a second later.
  case closedOutput
  /// Somebody ended its sandbox from outside, and it with that: nobody saw how.
  case sandboxEnded
  /// It is gone, and nothing told how.
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
  /// What is counted.
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
  /// What was counted before counting stopped: at least this much.
  public var used: UInt64
  /// What it may keep there.
  public var ceiling: UInt64
  /// What ``used`` and ``ceiling`` count.
  public var unit: Unit

  /// - Parameters:
  ///   - folder: the absolute path of the container.
  ///   - used: what was counted.
  ///   - ceiling: what is allowed.
  ///   - unit: what both count.
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
