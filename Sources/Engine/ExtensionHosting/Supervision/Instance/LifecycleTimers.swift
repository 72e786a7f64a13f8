import EventLoop

/// When the timers of one instance are over.
///
/// A timer that is stopped, or started anew, stays with the loop as it is and is looked at when its time comes: each
/// request of a kept process starts and stops four, and asking the loop every time costs more than the request's own part.
struct LifecycleTimers {
  private struct Entry {
    /// What the loop has, and for when.
    var armed: (token: TimerToken, time: UInt64)?
    /// When it is over, in the loop's nanoseconds; `nil` when it does not run.
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

  /// The loop has called.
  ///
  /// - Returns: when the timer is over, if it runs; it does not run afterwards if that is now.
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
