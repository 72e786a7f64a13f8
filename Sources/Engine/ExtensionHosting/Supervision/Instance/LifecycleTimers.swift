import EventLoop

/// The times at which the timers of one instance fire.
///
/// A stopped or restarted timer stays scheduled on the loop and is checked when its time comes. Each request of a kept
/// process starts and stops four timers, and a call to the loop each time would cost more than the rest of the
/// request's handling.
struct LifecycleTimers {
  private struct Entry {
    /// The loop's timer and its time.
    var armed: (token: TimerToken, time: UInt64)?
    /// The time at which the timer fires, in the loop's nanoseconds; `nil` when it is stopped.
    var due: UInt64?
  }

  private var entries = InlineArray<4, Entry>(repeating: Entry())

  /// - Returns: whether the loop is to call at that time: what it has is later, or nothing.
  mutating func start(_ timer: LifecycleStateMachine.Timer, until due: UInt64) -> Bool {
    entries[timer.rawValue].due = due
    guard let armed = entries[timer.rawValue].armed else { return true }
    return armed.time > due
  }

  mutating func stop(_ timer: LifecycleStateMachine.Timer) { entries[timer.rawValue].due = nil }

  /// The loop will call at this time.
  ///
  /// - Returns: what it had before.
  mutating func arm(_ timer: LifecycleStateMachine.Timer, _ token: TimerToken, at time: UInt64) -> TimerToken? {
    defer { entries[timer.rawValue].armed = (token, time) }
    return entries[timer.rawValue].armed?.token
  }

  /// Handles a call of the loop.
  ///
  /// - Returns: the time at which the timer fires, if it is running. If that time has come, the timer is stopped.
  mutating func fired(_ timer: LifecycleStateMachine.Timer, at now: UInt64) -> UInt64? {
    entries[timer.rawValue].armed = nil
    let due = entries[timer.rawValue].due
    if let due, due <= now { stop(timer) }
    return due
  }

  /// Stops all of them.
  ///
  /// - Returns: what the loop has.
  mutating func stopAll() -> [TimerToken] {
    var tokens: [TimerToken] = []
    for index in entries.indices {
      if let armed = entries[index].armed { tokens.append(armed.token) }
      entries[index] = Entry()
    }
    return tokens
  }
}
