import ExtensionProtocol

/// Decides which lines about extensions are logged: limits on lines and bytes, for each extension and for all together.
/// Pure.
struct LogAllowance {
  /// What one extension may write, and all of them.
  struct Rates: Sendable {
    var own: LineMeter.Rate
    var all: LineMeter.Rate

    /// For lines from `warning` on.
    static let warnings = Rates(
      own: .init(lines: (50, 5), bytes: (128 * 1024, 8 * 1024)),
      all: .init(lines: (100, 10), bytes: (256 * 1024, 16 * 1024)))
    /// The limits of lines below `warning`.
    static let others = Rates(
      own: .init(lines: (1000, 100), bytes: (1024 * 1024, 64 * 1024)),
      all: .init(lines: (4000, 400), bytes: (4096 * 1024, 256 * 1024)))
  }

  /// What is to be said of lines that were left out.
  struct Notice: Equatable {
    var count = 0
    /// The worst of their levels.
    var level = LogLevel.trace
  }

  struct Verdict: Equatable {
    /// Whether the line is for the log.
    var isTaken: Bool
    /// What is to be said before it.
    var notice: Notice?
    /// Whether to schedule a line that reports what was left out.
    var reminds = false
  }

  /// The meters of one extension, or of all: for warnings, and for the other lines.
  private struct Meters {
    var warnings: LineMeter
    var others: LineMeter
  }

  private struct Subject {
    var meters: Meters
    var leftOut: Notice?
    /// Whether a line that reports what was left out is scheduled.
    var isReminded = false
  }

  private let warnings: Rates
  private let others: Rates
  private var all: Meters
  private var subjects: [String: Subject] = [:]
  /// Of extensions that nothing has to be remembered of, at most.
  private static let mostSubjects = 1024

  init(warnings: Rates = .warnings, others: Rates = .others) {
    self.warnings = warnings
    self.others = others
    all = Meters(warnings: LineMeter(warnings.all), others: LineMeter(others.all))
  }

  /// A line about an extension.
  ///
  /// - Parameter now: monotonic nanoseconds.
  mutating func came(_ level: LogLevel, _ bytes: Int, about id: String, at now: UInt64) -> Verdict {
    prune()
    var subject =
      subjects[id] ?? Subject(meters: Meters(warnings: LineMeter(warnings.own), others: LineMeter(others.own)))
    defer { subjects[id] = subject }
    let path: WritableKeyPath<Meters, LineMeter> = level >= .warning ? \.warnings : \.others
    guard subject.meters[keyPath: path].isOpen(at: now), all[keyPath: path].isOpen(at: now) else {
      let before = subject.leftOut ?? Notice()
      subject.leftOut = Notice(count: before.count + 1, level: max(before.level, level))
      defer { subject.isReminded = true }
      return Verdict(isTaken: false, reminds: !subject.isReminded)
    }
    subject.meters[keyPath: path].take(bytes)
    all[keyPath: path].take(bytes)
    // In a flood now and then a line passes; what is left out around it is said when its time comes.
    return Verdict(isTaken: true, notice: subject.isReminded ? nil : subject.leftOut.take())
  }

  /// The time has come, or the extension has ended: what was left out of its lines.
  mutating func due(_ id: String) -> Notice? {
    subjects[id]?.isReminded = false
    return subjects[id]?.leftOut.take()
  }

  private mutating func prune() {
    guard subjects.count >= Self.mostSubjects else { return }
    subjects = subjects.filter { $0.value.leftOut != nil }
    if subjects.count >= Self.mostSubjects { subjects = [:] }
  }
}
