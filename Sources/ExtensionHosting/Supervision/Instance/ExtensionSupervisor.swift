import EventLoop
import ExtensionProtocol
import JSONRPC

/// Holds the lives of one extension's processes: feeds their state machines, sets their timers, asks the health record
/// before a start and tells it of an end.
actor ExtensionSupervisor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// One process, from the wish to start it on. An object, as it is large and every event changes a little of it.
  final class Life {
    var machine = LifecycleStateMachine()
    let target: LaunchTarget
    /// What the executable and the manifest were at the start.
    let stamp: TargetStamp
    /// The generation of the health record at the start.
    let generation: Int
    /// Whether the end is remembered; not of what this host did not start.
    let isRecorded: Bool
    /// Kept for requests to come.
    var isKept = false
    /// The version that goes on if this one fails.
    var replaces: String?
    var timers: [LifecycleStateMachine.Timer: TimerToken] = [:]
    /// What has to be done that takes time.
    var actions: AsyncStream<LifecycleStateMachine.Action>.Continuation?

    init(target: LaunchTarget, stamp: TargetStamp, generation: Int, isRecorded: Bool) {
      self.target = target
      self.stamp = stamp
      self.generation = generation
      self.isRecorded = isRecorded
    }
  }

  let id: String
  let health: HealthStore
  let statistics: StatisticsStore
  let configuration: ExtensionHost.Configuration
  var lives: [UInt64: Life] = [:]
  private var nextLife: UInt64 = 0
  private var watch: TimerToken?
  private var healthStamp: FileStamp?

  init(id: String, configuration: ExtensionHost.Configuration, loop: EventLoop) {
    self.id = id
    self.configuration = configuration
    self.loop = loop
    health = HealthStore(configuration.state)
    statistics = StatisticsStore(configuration.state)
  }

  // MARK: Before the start

  /// Begins a life: looks whether the extension may start, and waits for the end of a back-off that is short.
  ///
  /// - Throws: `quarantined` with `until` and `reason`.
  func admit(_ target: LaunchTarget, isRecorded: Bool = true) async throws(ExtensionError) -> UInt64 {
    let stamp = TargetStamp(target)
    let record = isRecorded ? try await permitted(target, stamp) : HealthRecord()
    nextLife += 1
    lives[nextLife] = Life(target: target, stamp: stamp, generation: record.generation, isRecorded: isRecorded)
    let number = nextLife
    event(.found(.usable), of: number)
    return number
  }

  private func permitted(_ target: LaunchTarget, _ stamp: TargetStamp) async throws(ExtensionError) -> HealthRecord {
    let begin = WallClock.now
    while true {
      let record = health.record(of: id)
      let now = WallClock.now
      switch record.verdict(now: now, executable: stamp.text) {
      case .free: return record
      case .quarantined(let quarantine): throw .quarantined(target.identity, quarantine)
      case .wait(let until):
        guard until - begin <= configuration.deadlines.backOff.inSeconds else {
          throw .backingOff(target.identity, until: until, record)
        }
        configuration.log.log(
          .warning, "failed lately; waiting before the next start",
          metadata: ["extension.id": .string(id), "seconds": .double(((until - now) * 10).rounded() / 10)])
        do {
          try await loop.sleep(for: .seconds(until - now))
        } catch {
          throw ExtensionError(.cancelled, "The start of \(target.identity.displayName) was cancelled.")
        }
      }
    }
  }

  // MARK: While it lives

  /// The process is there. Actions that take time go into the stream.
  func launched(_ number: UInt64, _ actions: AsyncStream<LifecycleStateMachine.Action>.Continuation) {
    lives[number]?.actions = actions
    event(.launched, of: number)
    // The record may have changed since the life was admitted: the first look reads it.
    healthStamp = nil
    look()
  }

  /// The life is kept for requests to come.
  func keep(_ number: UInt64, replaces version: String?) {
    lives[number]?.isKept = true
    lives[number]?.replaces = version
  }

  func state(of number: UInt64) -> LifecycleStateMachine.State? { lives[number]?.machine.state }

  /// A request wants to begin.
  ///
  /// - Returns: false when the process takes no more.
  func beginRequest(_ number: UInt64) -> Bool {
    guard lives[number]?.machine.takesRequests == true else { return false }
    event(.requestBegan, of: number)
    return true
  }

  /// As ``beginRequest(_:)``, for the first request of a process. One that has exited since its handshake passes: the
  /// request finds that out by its first call, whose error has the reason and the method.
  func beginsOrExited(_ number: UInt64) -> Bool {
    beginRequest(number) || lives[number]?.machine.state == .terminated(.exited)
  }

  /// Feeds a state machine and does what it decides.
  func event(_ event: LifecycleStateMachine.Event, of number: UInt64) {
    guard let actions = lives[number]?.machine.event(event) else { return }
    for action in actions { perform(action, of: number) }
  }

  /// Ends every process of the extension that this host started.
  func stopAll(_ reason: StopReason) {
    for number in lives.keys.sorted() { event(.stop(reason), of: number) }
  }

  private func perform(_ action: LifecycleStateMachine.Action, of number: UInt64) {
    switch action {
    case .start(let timer): start(timer, of: number)
    case .cancel(let timer):
      if let token = lives[number]?.timers.removeValue(forKey: timer) { loop.cancel(token) }
    case .warn:
      configuration.log.log(
        .warning, "slow to start",
        metadata: ["extension.id": .string(id), "limit": .string("\(configuration.deadlines.slowLaunch)")])
    case .recordFailure: break  // What is known of it is remembered when the life ends.
    case .ping, .terminate, .kill: lives[number]?.actions?.yield(action)
    }
  }

  private func start(_ timer: LifecycleStateMachine.Timer, of number: UInt64) {
    let deadlines = configuration.deadlines
    let delay =
      switch timer {
      case .slowLaunch: deadlines.slowLaunch
      case .completion: deadlines.completion
      case .idle: configuration.warm.idleTime
      case .ping: deadlines.ping
      }
    let token = loop.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { supervisor in
        supervisor.lives[number]?.timers[timer] = nil
        supervisor.event(.timer(timer), of: number)
      }
    }
    if let old = lives[number]?.timers.updateValue(token, forKey: timer) { loop.cancel(old) }
  }

  // MARK: Looking around

  /// Once a second while something lives: was a restart asked for, is memory short, is there another version?
  private func look() {
    guard watch == nil, !lives.isEmpty else { return }
    watch = loop.schedule(after: configuration.deadlines.look) { [weak self] in
      self?.assumeIsolated { supervisor in
        supervisor.watch = nil
        supervisor.lookAround()
        supervisor.look()
      }
    }
  }

  private func lookAround() {
    let stamp = health.stamp(of: id)
    if stamp != healthStamp {
      healthStamp = stamp
      let generation = health.record(of: id).generation
      for (number, life) in lives where life.isRecorded && life.generation < generation {
        event(.stop(.host), of: number)
      }
    }
    for (number, life) in lives {
      switch life.machine.state {
      case .suspended, .idle:
        if configuration.warm.isMemoryShort() { event(.stop(.memory), of: number) }
      case .running where !life.isKept && life.isRecorded && TargetStamp(life.target) != life.stamp:
        event(.replaced, of: number)
      default: break
      }
    }
  }

  /// Nothing is left of a life.
  func forget(_ number: UInt64) -> Life? {
    guard let life = lives.removeValue(forKey: number) else { return nil }
    for token in life.timers.values { loop.cancel(token) }
    life.actions?.finish()
    if lives.isEmpty, let watch {
      loop.cancel(watch)
      self.watch = nil
    }
    return life
  }
}
