import ExtensionProtocol

/// A measurement of one process at one moment.
struct ResourceSample: Sendable, Equatable {
  /// The time of the measurement, on a monotonic clock.
  var time: Duration
  /// The processor time of all threads since the start of the process.
  var cpu: Duration
  /// Memory that counts against the ceiling, in bytes.
  var memory: UInt64
  var threads: UInt64
  /// Names the request that has been open longest; `nil` when none is.
  var oldestRequest: Int64?
}

/// Decides from measurements whether an extension must be ended. Pure: the caller measures and acts.
struct ResourceStateMachine: Sendable {
  enum Event: Sendable, Equatable {
    case sample(ResourceSample)
    case disk(DiskExcess)
    /// The process runs, and repeatedly could not be measured.
    case hidden
  }

  enum Action: Sendable, Equatable {
    /// Warn the extension that it is close to its memory limit.
    case warn(MemoryWarning)
    /// End it; nothing follows.
    case terminate(ExitReason)
  }

  /// Percentages of the limit: the first warning, the last warning, and the level below which warnings start again.
  private static let levels = (warning: 80 as UInt64, critical: 95 as UInt64, relieved: 70 as UInt64)

  private let limits: ExtensionLimits
  private var last: ResourceSample?
  private var level: MemoryWarning.Level?
  /// The processor time used between requests, by the time of the measurement; oldest first, only inside of the window.
  private var idleUse: [(time: Duration, cpu: Duration)] = []
  private var request: (id: Int64, cpuAtStart: Duration)?
  /// What the request before used, until the next one begins: whoever asks why it failed may come after the next look.
  private var usedBefore: Duration?
  private var isOver = false
  /// The largest memory seen.
  private(set) var peak: UInt64 = 0

  init(limits: ExtensionLimits) { self.limits = limits }

  /// The processor time at the last look.
  var cpu: Duration { last?.cpu ?? .zero }

  /// The processor time that the open request had used at the last look, or the last request when it was open; `nil` when
  /// there was none.
  var requestCPU: Duration? {
    guard let last, let request else { return usedBefore }
    return last.cpu - request.cpuAtStart
  }

  mutating func event(_ event: Event) -> [Action] {
    if isOver { return [] }
    switch event {
    case .disk(let excess): return terminate(.diskQuota(excess))
    case .hidden: return terminate(.watchdog("what it uses could not be seen"))
    case .sample(let sample):
      defer { last = sample }
      peak = max(peak, sample.memory)
      if sample.memory > limits.memory {
        return terminate(.memory(used: sample.memory, ceiling: limits.memory))
      }
      if sample.threads > limits.threads {
        return terminate(.threads(used: sample.threads, ceiling: limits.threads))
      }
      if let reason = overspent(sample) { return terminate(reason) }
      return pressure(sample.memory)
    }
  }

  private mutating func terminate(_ reason: ExitReason) -> [Action] {
    isOver = true
    return [.terminate(reason)]
  }

  /// Follows the request that is open longest, and what is used while none is. Time in which a request began or ended
  /// counts for neither.
  private mutating func overspent(_ sample: ResourceSample) -> ExitReason? {
    guard let id = sample.oldestRequest else {
      usedBefore = requestCPU
      request = nil
      return idled(sample)
    }
    if let request, request.id == id {
      let used = sample.cpu - request.cpuAtStart
      return used > limits.requestCPU ? .cpu(used: used, ceiling: limits.requestCPU, isIdle: false) : nil
    }
    request = (id, sample.cpu)
    usedBefore = nil
    return nil
  }

  private mutating func idled(_ sample: ResourceSample) -> ExitReason? {
    guard let last, last.oldestRequest == nil else { return nil }
    let used = sample.cpu - last.cpu
    if used > .zero { idleUse.append((sample.time, used)) }
    let begin = sample.time - limits.idleWindow
    idleUse.removeAll { $0.time <= begin }
    let sum = idleUse.reduce(.zero) { $0 + $1.cpu }
    return sum > limits.idleCPU ? .cpu(used: sum, ceiling: limits.idleCPU, isIdle: true) : nil
  }

  private mutating func pressure(_ memory: UInt64) -> [Action] {
    let percent = limits.memory == 0 ? 100 : memory / max(1, limits.memory / 100)
    if percent < Self.levels.relieved { level = nil }
    let reached: MemoryWarning.Level? =
      percent >= Self.levels.critical ? .critical : percent >= Self.levels.warning ? .warning : nil
    guard let reached, reached != level, level != .critical else { return [] }
    level = reached
    return [.warn(MemoryWarning(level: reached, usage: memory, limit: limits.memory))]
  }
}
