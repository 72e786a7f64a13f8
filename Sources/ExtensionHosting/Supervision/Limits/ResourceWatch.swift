import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Sandbox

/// Looks at a running extension every quarter of a second, and at its folders when it has been at work, and has it ended
/// when it uses more than it may. What ends before the first interval is over is never looked at.
actor ResourceWatch {
  /// How often is looked.
  struct Pace: Sendable {
    var process = Duration.milliseconds(250)
    var disk = Duration.seconds(1)
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let quota: DiskQuota
  private let pace: Pace
  private let connection: Connection
  private let work: OpenWork
  private let diskLoop: DiskLoop
  private let group: ControlGroup?
  private var machine: ResourceStateMachine
  private var sampler: ProcessSampler?
  private var timer: TimerToken?
  private var end: ((ExitReason) -> Void)?
  private var isScanning = false
  private var scanned: (time: UInt64, cpu: Duration)

  /// - Parameters:
  ///   - connection: to the extension, which it is warned through.
  ///   - work: requests that the connection does not know of.
  ///   - group: bounds its memory as well; `nil` where nothing but the looks do.
  init(
    quota: DiskQuota, connection: Connection, work: OpenWork, loop: EventLoop, diskLoop: DiskLoop, pace: Pace = Pace(),
    group: ControlGroup? = nil
  ) {
    self.quota = quota
    self.connection = connection
    self.work = work
    self.loop = loop
    self.diskLoop = diskLoop
    self.group = group
    self.pace = pace
    machine = ResourceStateMachine(limits: quota.limits)
    scanned = (0, .zero)
  }

  /// Begins when the extension's image runs.
  ///
  /// - Parameters:
  ///   - launcher: the process that the host started.
  ///   - end: ends it.
  func start(_ launcher: Int32, end: @escaping (ExitReason) -> Void) {
    self.end = end
    scanned.time = loop.now
    schedule { watch in
      watch.sampler = ProcessSampler(launcher: launcher)
      watch.look()
    }
  }

  /// The process has ended.
  func stop() {
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
    if [.crashed(SIGKILL), .unknown].contains(reason), let group, group.memoryKills > 0 {
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

  private func schedule(_ action: @escaping @Sendable (isolated ResourceWatch) -> Void) {
    timer = loop.schedule(after: pace.process) { [self] in assumeIsolated { action($0) } }
  }

  private func look() {
    guard let figures = sampler?.look() else { return stop() }
    let sample = ResourceSample(
      time: .nanoseconds(Int64(clamping: loop.now)), cpu: figures.cpu, memory: figures.memory, threads: figures.threads,
      oldestRequest: connection.oldestCall ?? work.oldest)
    follow(machine.event(.sample(sample)))
    guard end != nil else { return }
    scanIfDue(figures.cpu)
    schedule { $0.look() }
  }

  private func follow(_ actions: [ResourceStateMachine.Action]) {
    for action in actions {
      switch action {
      case .warn(let pressure): try? connection.post(MemoryWarning.method, pressure)
      case .terminate(let reason):
        let end = end
        stop()
        end?(reason)
      }
    }
  }

  /// Whoever has not run since the last look at the folders has written nothing since.
  private func scanIfDue(_ cpu: Duration) {
    guard !isScanning, cpu > scanned.cpu, loop.now &- scanned.time >= pace.disk.wholeNanoseconds else { return }
    isScanning = true
    diskLoop.run { [quota, loop] in
      let excess = quota.excess()
      loop.execute { [self] in assumeIsolated { $0.scanned(excess, cpu: cpu) } }
    }
  }

  private func scanned(_ excess: DiskExcess?, cpu: Duration) {
    isScanning = false
    scanned = (loop.now, cpu)
    if let excess, end != nil { follow(machine.event(.disk(excess))) }
  }
}
