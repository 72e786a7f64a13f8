package import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Sandbox

/// Looks at a running extension every quarter of a second, more often while it works, and at its folders every second,
/// and has it ended when it uses more than it may. What ends before the first interval is over is never looked at; what
/// it leaves in its folders is, before the next start.
package actor ResourceWatch {
  /// How often is looked.
  struct Pace: Sendable {
    var process = Duration.milliseconds(250)
    /// While it uses the processor: memory is taken at gigabytes in a second.
    var working = Duration.milliseconds(50)
    var disk = Duration.seconds(1)
  }

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How often in a row something may keep the host from looking.
  private static let vainLimit = 5

  private let quota: DiskQuota
  private let pace: Pace
  /// Names the request that has been open longest.
  private let oldestRequest: @Sendable () -> Int64?
  private let warn: @Sendable (MemoryWarning) -> Void
  private let diskLoop: DiskLoop
  private let group: ControlGroup?
  private var machine: ResourceStateMachine
  private var sampler: ProcessSampler?
  private var launcher: Int32 = -1
  private var timer: TimerToken?
  private var end: ((ExitReason) -> Void)?
  private var isScanning = false
  private var scanned: UInt64 = 0
  /// Looks in a row at the process, and at its folders, that came to nothing.
  private var vainLooks = 0
  private var vainScans = 0

  /// - Parameters:
  ///   - connection: to the extension, which it is warned through.
  ///   - work: requests that the connection does not know of.
  ///   - group: bounds its memory as well; `nil` where nothing but the looks do.
  init(
    quota: DiskQuota, connection: Connection, work: OpenWork, loop: EventLoop, diskLoop: DiskLoop, pace: Pace = Pace(),
    group: ControlGroup? = nil
  ) {
    self.init(
      quota: quota, loop: loop, diskLoop: diskLoop, pace: pace, group: group,
      oldestRequest: { connection.oldestCall ?? work.oldest },
      warn: { try? connection.post(MemoryWarning.method, $0) })
  }

  /// Watches a program that speaks no protocol, as if it had one request open from its start to its end.
  ///
  /// - Parameter folders: what it may write to, absolute paths.
  package init(program limits: ExtensionLimits, folders: [String], loop: EventLoop) {
    self.init(
      quota: DiskQuota([folders], limits: limits), loop: loop, diskLoop: DiskLoop(), pace: Pace(), group: nil,
      oldestRequest: { 1 }, warn: { _ in })
  }

  private init(
    quota: DiskQuota, loop: EventLoop, diskLoop: DiskLoop, pace: Pace, group: ControlGroup?,
    oldestRequest: @escaping @Sendable () -> Int64?, warn: @escaping @Sendable (MemoryWarning) -> Void
  ) {
    self.quota = quota
    self.oldestRequest = oldestRequest
    self.warn = warn
    self.loop = loop
    self.diskLoop = diskLoop
    self.group = group
    self.pace = pace
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
    schedule(after: pace.process) { $0.look() }
  }

  /// The process has ended.
  package func stop() {
    if let timer { loop.cancel(timer) }
    timer = nil
    sampler = nil
    end = nil
  }

  /// An end by a signal, with the memory when that had been close to the ceiling. SIGKILL is told apart by the kernel's
  /// own count: the extension may have sent it to itself.
  ///
  /// - Parameter peakMemory: with the pages of programs and libraries.
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

  private func schedule(
    after pause: Duration, _ action: @escaping @Sendable (isolated ResourceWatch) -> Void
  ) {
    timer = loop.schedule(after: pause) { [self] in assumeIsolated { action($0) } }
  }

  private func look() {
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
    schedule(after: machine.cpu > cpu ? pace.working : pace.process) { $0.look() }
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

  /// Also when it has not run since, as far as its times tell: a file is allocated in less than the kernel counts.
  private func scanIfDue() {
    guard !isScanning, loop.now &- scanned >= pace.disk.wholeNanoseconds else { return }
    isScanning = true
    // Of its own, since the sampler may go before the count is over.
    let process = fcntl(sampler?.folder ?? -1, F_DUPFD_CLOEXEC, 0)
    diskLoop.run { [quota, loop] in
      let count = quota.count(process: process < 0 ? nil : process)
      if process >= 0 { close(process) }
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
      vainScans += 1
      if vainScans > Self.vainLimit { follow(machine.event(.disk(quota.uncountable))) }
    }
  }
}
