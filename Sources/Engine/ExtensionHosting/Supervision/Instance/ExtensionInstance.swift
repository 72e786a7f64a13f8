package import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization

/// One process of an extension, from the decision to start it to its end: its number, state, timers, connection,
/// monitor, failure and reason to end.
///
/// The actor runs on the host's loop. It performs the decisions of its state machine where an event arrives. Only pings
/// and the end take time; the task in ``attend()`` does them.
package actor ExtensionInstance {
  /// The purpose of a process.
  enum Purpose: Sendable, Equatable {
    /// One request, with which it ends.
    case request
    /// The process serves future requests. The version is that of the process that stays if this one fails.
    case keeping(replaces: String?)
    /// Something that this host did not start: nothing is remembered of it.
    case foreign
  }

  /// The parts that exist from the launch to the end.
  private struct Running {
    let link: any ExtensionLink
    let process: ExtensionProcess
  }

  /// The loop that the actor runs on.
  package nonisolated let loop: EventLoop
  /// The executor of ``loop``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Distinguishes the processes that this host has to do with.
  nonisolated let number: UInt64
  nonisolated let target: LaunchTarget
  nonisolated let purpose: Purpose
  /// The state of the executable and the manifest at the start.
  nonisolated let stamp: TargetStamp
  /// The generation of the health record at the start.
  nonisolated let generation: Int
  nonisolated let supervisor: ExtensionSupervisor
  /// The first failure that was seen of it.
  nonisolated let failure = Mutex<HealthRecord.Failure?>(nil)
  /// The last error that a handler of it threw. It is remembered when nothing worse was seen, and the process goes on.
  nonisolated let exception = Mutex<HealthRecord.Failure?>(nil)
  /// What was too much in its folders when it had ended.
  private(set) var leftover: DiskExcess?

  private var machine = LifecycleStateMachine()
  private var timers = LifecycleTimers()
  private var running: Running?
  private var isPingDue = false
  /// Pings in a row that were answered while nothing else was to be done.
  private var quietPings = 0
  /// Doublings of the time between two pings.
  private static let mostDoublings = 3
  /// The reason for ending the process, once the host has decided to.
  private var ending: StopReason?
  /// The continuation of the attending task while it has no work.
  private var attendant: CheckedContinuation<Void, Never>?
  private var isOver = false
  /// The callers that wait until the process and its resources are gone.
  private var waiters: [CheckedContinuation<Void, Never>] = []

  private static let numbers = Atomic<UInt64>(0)

  init(
    _ target: LaunchTarget, for purpose: Purpose, stamp: TargetStamp, generation: Int,
    of supervisor: ExtensionSupervisor
  ) {
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    self.target = target
    self.purpose = purpose
    self.stamp = stamp
    self.generation = generation
    self.supervisor = supervisor
    loop = supervisor.loop
  }

  nonisolated var identity: Caller.Identity { target.identity }

  /// Whether its end is remembered.
  nonisolated var isRecorded: Bool { purpose != .foreign }

  /// Whether the process is kept for future requests.
  nonisolated var isKept: Bool { if case .keeping = purpose { true } else { false } }

  /// Whether a failure was seen of it.
  nonisolated var hasFailed: Bool { failure.withLock { $0 != nil } }

  var state: LifecycleStateMachine.State { machine.state }

  /// Whether the process runs or may be running.
  var isLive: Bool { machine.isLive }

  /// Whether a request may begin now.
  var takesRequests: Bool { machine.takesRequests }

  /// The host's end of it, while it runs.
  var process: ExtensionProcess? { running?.process }

  // MARK: Events

  /// The process is there.
  func launched(_ process: ExtensionProcess, over link: some ExtensionLink) {
    running = Running(link: link, process: process)
    event(.launched)
    supervisor.assumeIsolated { $0.hasLaunched() }
  }

  /// A request wants to begin.
  ///
  /// - Returns: false when the process takes no more.
  func beginRequest() -> Bool {
    guard machine.takesRequests else { return false }
    quietPings = 0
    event(.requestBegan)
    return true
  }

  /// As ``beginRequest()``, for the first request of a process. One that has exited since its handshake passes: the
  /// request finds that out by its first call, whose error has the reason and the method.
  func beginsOrExited() -> Bool { beginRequest() || machine.state == .terminated(.exited) }

  /// Ends a request and the extension's work for it.
  func endRequest() {
    event(.requestEnded)
    event(.completionDone)
  }

  /// Its connection may have ended, and not by the host's will.
  func lookAtConnection() {
    if running?.process.hasHungUp == true { event(.exited) }
  }

  /// Feeds the state machine and does what it decides.
  func event(_ event: LifecycleStateMachine.Event) {
    for action in machine.event(event) { perform(action) }
  }

  private func perform(_ action: LifecycleStateMachine.Action) {
    switch action {
    case .start(let timer): start(timer)
    case .cancel(let timer): timers.stop(timer)
    case .warn:
      let configuration = supervisor.configuration
      configuration.log.log(
        .warning, "slow to start",
        metadata: ["extension.id": .string(identity.id), "limit": .string("\(configuration.deadlines.slowLaunch)")])
    case .ping:
      isPingDue = true
      wakeAttendant()
    case .terminate(let reason): end(reason)
    case .kill(let why):
      running?.link.kill(why)
      end(.timeout)
    }
  }

  private func start(_ timer: LifecycleStateMachine.Timer) {
    let configuration = supervisor.configuration
    let delay =
      switch timer {
      case .slowLaunch: configuration.deadlines.slowLaunch
      case .completion: configuration.deadlines.completion
      case .idle: configuration.warm.idleTime
      case .ping: configuration.deadlines.ping * (1 << min(quietPings, Self.mostDoublings))
      }
    let due = loop.now &+ delay.wholeNanoseconds
    if timers.start(timer, until: due) { arm(timer, at: due) }
  }

  private func arm(_ timer: LifecycleStateMachine.Timer, at time: UInt64) {
    let token = loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.fired(timer) } }
    if let old = timers.arm(timer, token, at: time) { loop.cancel(old) }
  }

  private func fired(_ timer: LifecycleStateMachine.Timer) {
    guard let due = timers.fired(timer, at: loop.now) else { return }
    // The timer was started again after the loop had scheduled this call.
    if due > loop.now { return arm(timer, at: due) }
    event(.timer(timer))
  }

  // MARK: The end

  /// Pings the process while it is kept, and ends it once that is decided: nothing is left of it when this returns. In a
  /// task that is cancelled it is ended at once, and not asked.
  func attend() async {
    guard let running else { return }
    await withTaskCancellationHandler {
      // Most processes are never pinged, and a group takes memory as long as it is there.
      guard await hasPing() else { return await end(running.link) }
      await withDiscardingTaskGroup { pings in
        repeat {
          pings.addTask(executorPreference: loop) { [self] in await ping(running.process) }
        } while await hasPing()
        // A ping that waits for its answer does not hold up the end.
        await end(running.link)
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.finish(.quit) } }
    }
  }

  private func end(_ link: any ExtensionLink) async {
    await link.end(supervisor.configuration.deadlines, reason: ending ?? .quit)
    if let excess = await link.cleanUp() { note(excess) }
  }

  private func note(_ excess: DiskExcess) {
    leftover = excess
    let reason = ExitReason.diskQuota(excess)
    var finding = Finding(
      .diskQuota, .limitExceeded,
      "\(identity.displayName) has left too much: \(excess.folder) holds \(excess.description).")
    finding.reason = reason
    finding.recovery = reason.recovery
    let found = HealthRecord.Failure(finding, version: identity.version)
    failure.withLock { $0 = $0 ?? found }
    supervisor.configuration.log.log(.warning, finding.message, metadata: ["extension.id": .string(identity.id)])
  }

  /// Ends the process when no scope uses it any longer, unless it is ending already.
  func finish(_ reason: StopReason) {
    // A call may learn of the end before the task that serves it.
    lookAtConnection()
    event(.stop(reason))
    end(.quit)
  }

  /// The first reason counts.
  private func end(_ reason: StopReason) {
    ending = ending ?? reason
    wakeAttendant()
  }

  private func wakeAttendant() {
    attendant?.resume()
    attendant = nil
  }

  /// Waits until a ping is due; false when the end is decided.
  private func hasPing() async -> Bool {
    while ending == nil, !isPingDue {
      await withCheckedContinuation { continuation in
        // Looked at in here: the loop may do something else before this closure is called.
        guard ending == nil, !isPingDue else { return continuation.resume() }
        attendant = continuation
      }
    }
    isPingDue = false
    return ending == nil
  }

  private func ping(_ process: ExtensionProcess) async {
    let isAnswered = await process.answersPing(within: supervisor.configuration.deadlines.ping * 0.9)
    quietPings = isAnswered ? quietPings + 1 : 0
    if isAnswered { event(.pong) }
  }

  /// Nothing is left of the process.
  func forget() {
    for token in timers.stopAll() { loop.cancel(token) }
    // It knows this instance.
    running = nil
  }

  /// Marks the instance as finished, after its failure and statistics were stored.
  func leave() {
    isOver = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Waits until nothing is left of it, and its end is remembered.
  func gone() async {
    await withCheckedContinuation { continuation in
      // Looked at in here: the loop may do something else before this closure is called.
      if isOver { return continuation.resume() }
      waiters.append(continuation)
    }
  }
}

extension ExtensionProcess {
  /// Whether the connection has ended, and not by the host's will.
  fileprivate var hasHungUp: Bool {
    switch connection.closeReason {
    case nil, .finished, .cancelled: false
    default: true
    }
  }

  /// Whether the process still answers. The error that it does not serve `$/ping` is an answer too, because only the
  /// handshake is required of every extension.
  fileprivate func answersPing(within limit: Duration) async -> Bool {
    do throws(CallFailure) {
      _ = try await connection.attempt(Ping.method, Ping(), returning: JSONValue.self, deadline: limit)
      return true
    } catch {
      guard case .answered(let object) = error else { return false }
      return object.code == ExtensionError.Code.methodNotFound.number
    }
  }
}
