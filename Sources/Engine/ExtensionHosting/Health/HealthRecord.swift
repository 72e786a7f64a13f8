public import ExtensionProtocol
import Text
import Time

/// What is remembered of one extension from run to run: its last failures, and whether it may start.
public struct HealthRecord: Sendable, Codable, Equatable {
  /// One failure, with everything that was known of it.
  public struct Failure: Sendable, Codable, Equatable {
    /// The time of the failure, in seconds since 1970.
    @Timestamp<Double> public var time: Double
    /// What went wrong, as one word; it decides whether the failure counts towards quarantine.
    public var kind: FailureKind
    /// What happened: one sentence, safe to print.
    public var message: String
    /// What the reader can do.
    public var recovery: String?
    /// Why the process ended, as a predicate: `crashed with SIGSEGV (bad memory access)`.
    public var reason: String?
    /// The kind of the exit reason as one word, see ``ExitReason/kind``; `nil` when the process went on.
    public var exit: String?
    /// What it used and what it may use, where a limit ended it.
    public var measure: Measure?
    /// The folder that holds too much, where the disk quota ended it.
    public var folder: String?
    /// The deadline that passed.
    public var deadline: Deadline?
    /// How it broke the protocol, as one word: `partialMessage`, `notificationFlood`.
    public var violation: String?
    /// The protocol version that it offered, where the host does not speak it.
    public var protocolVersion: String?
    /// The exit status, where it exited by itself.
    public var status: Int32?
    /// The signal that ended it, where one did.
    public var signal: Int32?
    /// The launch stage that failed, with its errno in ``errno``.
    public var stage: String?
    /// The error number of the system call that failed, for a failed launch; see ``stage``.
    public var errno: Int32?
    /// The call that was not answered.
    public var method: String?
    /// What came over the wire that should not have.
    public var wire: String?
    /// The version of the extension.
    public var version: String?
    /// What it wrote to standard error before it ended: the last lines, and the first of those that came at once, oldest
    /// first, safe to print.
    public var standardError: [String] = []

    init(time: Double, kind: FailureKind, message: String) {
      self.time = time
      self.kind = kind
      self.message = message
    }
  }

  /// The last failures, oldest first; at most ten.
  public internal(set) var failures: [Failure] = []
  /// Failures that count since the last success.
  @NonNegative<Int> public internal(set) var consecutive = 0
  /// Seconds since 1970 of the last failures that count, of one executable; oldest first.
  @Timestamp<[Double]> var recent: [Double] = []
  /// Since when it is disabled, in seconds since 1970, and why.
  public internal(set) var quarantine: Quarantine?
  /// The executable that the counts are of; another file starts anew.
  var executable: String?
  /// Rises with each `restart`: hosts end the processes that they started under a lower one.
  @NonNegative<Int> public internal(set) var generation = 0
  /// When a run last ended well, in seconds since 1970.
  @Timestamp<Double?> public internal(set) var lastSuccess: Double?

  /// Why an extension is disabled.
  public struct Quarantine: Sendable, Codable, Equatable {
    /// When it was disabled, in seconds since 1970.
    @Timestamp<Double> public var since: Double
    /// How often it failed in how long, and the last failure; safe to print.
    public var reason: String
  }

  static let failureLimit = 10
  static let lineLimit = StandardErrorRing.lineLimit

  /// Makes the record of an extension that was never started: it may start at once.
  public init() {}

  /// The last failure, unless a run ended well since.
  public var lastFailure: Failure? { failures.last }

  /// Whether something is wrong now: it is disabled, or its last run failed.
  public var isFailing: Bool {
    if quarantine != nil { return true }
    guard let last = failures.last else { return false }
    return last.time > lastSuccess ?? 0
  }
}

extension HealthRecord: StateContent {
  /// Returns a record that replaces a damaged one. It reports the damage as a failure until a run succeeds, so that a
  /// record which cannot be read is never shown as healthy.
  package static func afterDamage(_ damage: StateDamage) -> HealthRecord? {
    var record = HealthRecord()
    var failure = Failure(time: UnixTime.now.fractionalSeconds, kind: .recordDamaged, message: damage.message)
    failure.recovery = "What was known of earlier failures is lost, with a quarantine; look at the file, or remove it."
    record.failures = [failure.capped]
    return record
  }
}

extension HealthRecord.Failure {
  /// Bytes that are kept of the sentence, of a line of standard error, and of any other text: much of what a failure says
  /// comes from the extension. Characters would bound nothing, since one may have any number of accents.
  static let messageLimit = 2000
  static let lineLimit = 1000
  static let textLimit = 500

  /// The failure as a record keeps it: ten of them stay below what is read of a file, were every byte to be escaped.
  var capped: Self {
    func cut(_ text: String, _ limit: Int = Self.textLimit) -> String {
      text.utf8.count <= limit ? text : text.prefix(utf8: limit) + "…"
    }
    var failure = self
    failure.message = cut(message, Self.messageLimit)
    failure.recovery = recovery.map { cut($0) }
    failure.reason = reason.map { cut($0) }
    failure.exit = exit.map { cut($0) }
    failure.measure?.unit = cut(measure?.unit ?? "")
    failure.folder = folder.map { cut($0) }
    failure.violation = violation.map { cut($0) }
    failure.protocolVersion = protocolVersion.map { cut($0) }
    failure.stage = stage.map { cut($0) }
    failure.method = method.map { cut($0) }
    failure.wire = wire.map { cut($0) }
    failure.version = version.map { cut($0) }
    failure.standardError = standardError.suffix(HealthRecord.lineLimit).map { cut($0, Self.lineLimit) }
    return failure
  }
}
