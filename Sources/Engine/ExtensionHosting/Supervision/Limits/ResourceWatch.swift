package import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Sandbox

/// Measures a running extension every quarter of a second, more often while it works, and its folders every second, and
/// has it ended when it exceeds a limit. A process that ends before the first measurement is never measured; its
/// folders are, before the next start.
///
/// A host may have a thousand extensions, most of them idle. An idle one costs one system call every quarter of a
/// second, and no code of its own: one pass over all of them makes it. A process that has used no processor time since
/// the last measurement, to the nanosecond, uses no more of anything, so nothing else is read. After its first
/// instruction it is measured in the next round, so the limits apply to it as to every other process.
package actor ResourceWatch {
  /// The timers that all watches of a host share.
  struct Rounds {
    /// Comes by at those that do not work.
    let resting: Round
    /// Comes by at those that do not work, and of which everything is known that they have done.
    let quiet: QuietRound

    init(on loop: EventLoop) {
      resting = Round(every: Pace.process, on: loop)
      quiet = QuietRound(every: Pace.process, on: loop)
    }
  }

  /// The intervals of the measurements.
  enum Pace {
    static let process = Duration.milliseconds(250)
    /// While it uses the processor: memory is taken at gigabytes in a second.
    static let working = Duration.milliseconds(50)
    static let disk = Duration.seconds(1)
  }

  /// The loop that the actor runs on.
  package nonisolated let loop: EventLoop
  /// The executor of ``loop``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How often in a row something may keep the host from looking.
  private static let vainLimit = 5

  private let quota: DiskQuota
  /// Names the request that has been open longest.
  private let oldestRequest: @Sendable () -> Int64?
  private let warn: @Sendable (MemoryWarning) -> Void
  private let diskLoop: DiskLoop
  private let rounds: Rounds
  private let group: ControlGroup?
  private var machine: ResourceStateMachine
  /// The processor time that the open request, or the one before, had used at the last look; `nil` when there was none.
  var requestCPU: Duration? { machine.requestCPU }
  private var lastUse: ProcessUse?
  private var sampler: ProcessSampler?
  private var launcher: Int32 = -1
  private var timer: TimerToken?
  private var end: ((ExitReason) -> Void)?
  private var isScanning = false
  /// Whether the extension may have written since its folders were last counted.
  private var needsScan = true
  /// When the folders were last counted: at first, when the watch began, before which they were counted.
  private(set) var scanned: UInt64 = 0
  /// Looks in a row at the process, and at its folders, that came to nothing.
  private var vainLooks = 0
  private var vainScans = 0

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - connection: the connection over which the extension is warned.
  ///   - work: requests that the connection does not know of.
  ///   - rounds: the timers that all watches of the host share; its own by default.
  ///   - group: the control group that also limits its memory; `nil` when only measurements do.
  init(
    quota: DiskQuota, connection: Connection, work: OpenWork, loop: EventLoop, diskLoop: DiskLoop,
    rounds: Rounds? = nil, group: ControlGroup? = nil
  ) {
    self.init(
      quota: quota, loop: loop, diskLoop: diskLoop, rounds: rounds, group: group,
      oldestRequest: { connection.oldestCall ?? work.oldest },
      warn: { try? connection.post(MemoryWarning.method, $0) })
  }

  /// Watches a program that speaks no protocol, as if it had one request open from its start to its end.
  ///
  /// - Parameter folders: what it may write to, absolute paths.
  package init(program limits: ExtensionLimits, folders: [String], loop: EventLoop) {
    self.init(
      quota: DiskQuota([folders], limits: limits), loop: loop, diskLoop: DiskLoop(), rounds: nil, group: nil,
      oldestRequest: { 1 }, warn: { _ in })
  }

  private init(
    quota: DiskQuota, loop: EventLoop, diskLoop: DiskLoop, rounds: Rounds?, group: ControlGroup?,
    oldestRequest: @escaping @Sendable () -> Int64?, warn: @escaping @Sendable (MemoryWarning) -> Void
  ) {
    self.quota = quota
    self.oldestRequest = oldestRequest
    self.warn = warn
    self.loop = loop
    self.diskLoop = diskLoop
    self.group = group
    self.rounds = rounds ?? Rounds(on: loop)
    machine = ResourceStateMachine(limits: quota.limits)
  }

  /// Begins when the extension's image runs.
  ///
  /// - Parameters:
  ///   - launcher: the process that the host started.
  ///   - end: ends it.
  package func start(_ launcher: Int32, end: @escaping (ExitReason) -> Void) {
    self.end = end
    self.launcher = launcher
    scanned = loop.now
    ProcessFile.keepSpare()
    joinRound()
  }

  /// The process has ended.
  package func stop() {
    if let timer { loop.cancel(timer) }
    timer = nil
    leaveRounds()
    sampler = nil
    end = nil
  }

  /// Explains an end by a signal: adds the memory if it was close to the limit. The kernel's own count identifies a
  /// SIGKILL for memory, because the extension may have sent SIGKILL to itself.
  ///
  /// - Parameter peakMemory: the largest memory, including the pages of programs and libraries.
  func explain(_ reason: ExitReason, peakMemory: UInt64) -> ExitReason {
    if [.crashed(SIGKILL), .sandboxEnded, .unknown].contains(reason), let group, group.memoryKills > 0 {
      return .memory(used: group.peakMemory ?? quota.limits.memory, ceiling: quota.limits.memory)
    }
    guard case .crashed(let signal) = reason, [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP].contains(signal) else {
      return reason
    }
    let ceiling = quota.limits.memory
    // A process that took it all between two looks: no program and no library is as large as this. The figure of a
    // process that was spawned begins with the host's own peak (the kernel keeps it across exec), so that one is no sign.
    let least = max(SandboxLimits(quota.limits).data / 2, Self.ownPeak)
    let used = peakMemory > least ? max(peakMemory, machine.peak) : machine.peak
    return used >= ceiling / 5 * 4 ? .crashedNearCeiling(signal, used: used, ceiling: ceiling) : reason
  }

  /// The most memory that the host itself has had, in bytes.
  private static var ownPeak: UInt64 {
    var usage = rusage()
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? UInt64(clamping: usage.ru_maxrss) << 10 : .max
  }

  /// What the process has used so far; `nil` when it was never measured.
  var use: ProcessUse? {
    let seen = machine.peak > 0 ? ProcessUse(peakMemory: machine.peak, processorTime: machine.cpu) : nil
    return lastUse?.joined(with: seen) ?? seen
  }

  /// Measures before the process is asked to end: many have never worked for long enough to be measured. What is seen is
  /// for the statistics alone, and ends nothing.
  func lookLast() {
    guard end != nil, launcher > 0, var sampler = sampler ?? ProcessSampler(launcher: launcher),
      case .figures(let figures) = sampler.look()
    else { return }
    lastUse = ProcessUse(peakMemory: figures.memory, processorTime: sampler.processorTime ?? figures.cpu)
  }

  /// From now on the round comes by.
  private func joinRound() {
    rounds.resting.assumeIsolated { round in
      round.join(self) { [weak self] in self?.assumeIsolated { $0.glance() } }
    }
  }

  /// From now on nothing is done until the process runs.
  private func joinQuiet() {
    guard let mark = sampler?.mark else { return }
    leaveRounds()
    rounds.quiet.assumeIsolated { round in
      round.join(self, process: mark.pid, time: mark.time) { [weak self] in self?.assumeIsolated { $0.look() } }
    }
  }

  private func leaveRounds() {
    rounds.resting.assumeIsolated { $0.leave(self) }
    rounds.quiet.assumeIsolated { $0.leave(self) }
  }

  /// From now on measures this process by itself, more often.
  private func lookSoon() {
    leaveRounds()
    timer = loop.schedule(after: Pace.working) { [weak self] in self?.assumeIsolated { $0.look() } }
  }

  /// The round comes by: most have done nothing since.
  private func glance() {
    if vainLooks > 0 || sampler?.hasRun ?? true { return look() }
    if needsScan || isScanning { scanIfDue() } else { joinQuiet() }
  }

  private func look() {
    timer = nil
    needsScan = true
    // A host that lacks descriptors now may have some at the next look.
    if sampler == nil { sampler = ProcessSampler(launcher: launcher) }
    let cpu = machine.cpu
    switch sampler?.look() {
    case .ended: return stop()
    case .figures(let figures):
      vainLooks = 0
      follow(machine.event(.sample(sample(figures))))
    case .hidden, nil:
      vainLooks += 1
      if vainLooks > Self.vainLimit { follow(machine.event(.hidden)) }
    }
    guard end != nil else { return }
    scanIfDue()
    if machine.cpu > cpu { lookSoon() } else { joinRound() }
  }

  private func sample(_ figures: ProcessSampler.Figures) -> ResourceSample {
    ResourceSample(
      time: .nanoseconds(Int64(clamping: loop.now)), cpu: figures.cpu, memory: figures.memory, threads: figures.threads,
      oldestRequest: oldestRequest())
  }

  private func follow(_ actions: [ResourceStateMachine.Action]) {
    for action in actions {
      switch action {
      case .warn(let pressure): warn(pressure)
      case .terminate(let reason):
        let end = end
        stop()
        end?(reason)
      }
    }
  }

  /// Counts once more after it has run: what it wrote until a look is counted by the next scan that begins.
  private func scanIfDue() {
    guard needsScan, !isScanning, loop.now &- scanned >= Pace.disk.wholeNanoseconds else { return }
    isScanning = true
    needsScan = false
    let process = sampler?.openFolder()
    diskLoop.run { [quota, loop] in
      let count = quota.count(process: process)
      if let process { close(process) }
      loop.execute { [self] in assumeIsolated { $0.scanned(count) } }
    }
  }

  private func scanned(_ count: DiskQuota.Count) {
    isScanning = false
    scanned = loop.now
    guard end != nil else { return }
    switch count {
    case .within: vainScans = 0
    case .excess(let excess): follow(machine.event(.disk(excess)))
    case .incomplete:
      needsScan = true
      vainScans += 1
      if vainScans > Self.vainLimit { follow(machine.event(.disk(quota.uncountable))) }
    }
  }
}

/// What a process has used until it was last measured.
struct ProcessUse: Sendable, Equatable {
  /// The most memory, in bytes.
  let peakMemory: UInt64
  let processorTime: Duration

  func joined(with other: ProcessUse?) -> ProcessUse {
    ProcessUse(
      peakMemory: max(peakMemory, other?.peakMemory ?? 0),
      processorTime: max(processorTime, other?.processorTime ?? .zero))
  }
}
