import Files

/// When an extension that failed may start again: 1, 2, 4, then 8 s after each failure, and not at all after five within
/// a minute.
enum RestartPolicy {
  /// Whether an extension may start.
  enum Verdict: Equatable {
    case free
    /// Not before this time, in seconds since 1970.
    case wait(until: Double)
    case quarantined(HealthRecord.Quarantine)
  }

  static let limit = 5
  /// The window in which failures are counted, in seconds.
  static let window = 60.0
  static let longestBackOff = 8.0

  /// Seconds between the failure that was the `count`th in a row and the next start.
  static func backOff(after count: Int) -> Double {
    count < 1 ? 0 : min(longestBackOff, Double(1 << min(count - 1, 8)))
  }
}

extension HealthRecord {
  /// Whether the extension may start now.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970. A clock that was set back does not lengthen a wait.
  ///   - executable: the executable's stamp; another one than the failures are of may start.
  func verdict(now: Double, executable: String?) -> RestartPolicy.Verdict {
    guard executable == self.executable else { return .free }
    if let quarantine { return .quarantined(quarantine) }
    guard let last = recent.last, consecutive > 0, last <= now else { return .free }
    let until = last + RestartPolicy.backOff(after: consecutive)
    return until > now ? .wait(until: until) : .free
  }

  /// The quarantine, unless the executable is another file now than the one that failed.
  ///
  /// - Parameter path: the executable's; `nil` when it is not known, and the quarantine counts.
  package func quarantine(ofExecutable path: String?) -> Quarantine? {
    guard let path, FileStamp(path)?.text != executable else { return quarantine }
    return nil
  }

  /// Takes a failure in.
  mutating func failed(_ failure: Failure, executable: String?) {
    forget(unless: executable)
    let failure = failure.capped
    failures.append(failure)
    failures.removeFirst(max(0, failures.count - Self.failureLimit))
    guard failure.kind.counts else { return }
    consecutive = consecutive.countedUp
    recent = recent.filter { $0 <= failure.time && failure.time - $0 < RestartPolicy.window } + [failure.time]
    recent.removeFirst(max(0, recent.count - RestartPolicy.limit))
    guard recent.count == RestartPolicy.limit, quarantine == nil else { return }
    quarantine = Quarantine(
      since: failure.time,
      reason:
        "It failed \(RestartPolicy.limit) times within \(Int(RestartPolicy.window)) s; at last: \(failure.message)")
  }

  /// A run ended well.
  mutating func succeeded(now: Double, executable: String?) {
    forget(unless: executable)
    consecutive = 0
    lastSuccess = now
  }

  /// Lets the extension start again: `restart` ends its processes and its back-off, `reset` its quarantine too.
  mutating func restart() {
    generation = generation.countedUp
    consecutive = 0
  }

  mutating func reset() {
    restart()
    recent = []
    quarantine = nil
  }

  private mutating func forget(unless executable: String?) {
    guard executable != self.executable else { return }
    self.executable = executable
    consecutive = 0
    recent = []
    quarantine = nil
  }
}
