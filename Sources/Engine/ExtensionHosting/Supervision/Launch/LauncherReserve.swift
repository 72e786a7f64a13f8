import EventLoop
import Sandbox
import Synchronization

/// A launcher that waits for the next launch, while one launch follows the other: starting it and making its namespaces
/// takes a third of a launch. One at most, for a limited time, of some 200 KiB.
final class LauncherReserve: Sendable {
  /// How long a launcher waits, and how soon one launch must follow another for the next to be expected.
  static let limit = Duration.seconds(10)

  private struct State: ~Copyable {
    var waiting: StandbyLauncher?
    /// Since when it waits, in monotonic nanoseconds.
    var since: UInt64 = 0
    /// The loop will look whether it has waited long enough. One look is enough for many that came and went.
    var isWatched = false
    var isStarting = false
    /// None is kept.
    var isClosed: Bool
    /// What the last launch would have taken.
    var kind: StandbyLauncher.Kind?
    /// When the last launch was over, in monotonic nanoseconds.
    var lastLaunch: UInt64?

    init(isClosed: Bool) { self.isClosed = isClosed }
  }

  private let loop: EventLoop
  private let state: Mutex<State>

  /// - Parameter isUsed: whether any launcher is kept.
  init(on loop: EventLoop, isUsed: Bool) {
    self.loop = loop
    state = Mutex(State(isClosed: !isUsed))
  }

  /// Returns the launcher that waits, if there is one, for a launch that begins.
  func take(for plan: LaunchPlan) -> StandbyLauncher? {
    state.withLock { state in
      state.kind = plan.standbyKind
      return state.waiting.take()
    }
  }

  /// A launch is over. Where it followed another one, a launcher is started for the next.
  func launched() {
    let now = loop.time
    let kind = state.withLock { state -> StandbyLauncher.Kind? in
      defer { state.lastLaunch = now }
      guard let last = state.lastLaunch, now &- last < Self.limit.wholeNanoseconds, !state.isClosed, !state.isStarting,
        state.waiting == nil, let kind = state.kind
      else { return nil }
      state.isStarting = true
      return kind
    }
    guard let kind else { return }
    // Without a thread the next launch starts its own.
    if SystemThread.start(name: "annex-standby", { [self] in start(kind) }) != 0 {
      state.withLock { $0.isStarting = false }
    }
  }

  private func start(_ kind: StandbyLauncher.Kind) {
    // A machine that has no process left says so at the next launch.
    let launcher = try? StandbyLauncher(kind)
    keep(launcher)
  }

  private func keep(_ launcher: consuming StandbyLauncher?) {
    var launcher = launcher
    let now = loop.time
    let needsWatch = state.withLock { state in
      state.isStarting = false
      guard !state.isClosed, launcher != nil else { return false }
      state.waiting = launcher.take()
      state.since = now
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if needsWatch { loop.execute { [weak self] in self?.look(after: Self.limit.wholeNanoseconds) } }
  }

  /// On the loop's thread.
  private func look(after nanoseconds: UInt64) {
    _ = loop.schedule(at: loop.now &+ nanoseconds) { [weak self] in self?.look() }
  }

  private func look() {
    let now = loop.now
    let left = state.withLock { state -> UInt64? in
      guard state.waiting != nil else {
        state.isWatched = false
        return nil
      }
      let waited = now &- min(now, state.since)
      return Self.limit.wholeNanoseconds &- min(waited, Self.limit.wholeNanoseconds)
    }
    guard let left else { return }
    if left > 0 { return look(after: left) }
    // Waits for the end of the process, which is not the loop's to do.
    if SystemThread.start(name: "annex-standby", { [self] in drop(at: now) }) != 0 { drop(at: now) }
  }

  /// Ends a launcher that nobody has taken.
  private func drop(at now: UInt64) {
    // Another one may have come meanwhile, which counts on the same watch.
    let isNewer = state.withLock { state in
      state.isWatched = state.waiting != nil && state.since > now
      return state.isWatched
    }
    if isNewer { return loop.execute { [weak self] in self?.look() } }
    _ = state.withLock { state in state.since <= now ? state.waiting.take() : nil }
  }

  /// Ends the launcher that waits: the host is shut down.
  func close() {
    _ = state.withLock { state in
      state.isClosed = true
      return state.waiting.take()
    }
  }
}
