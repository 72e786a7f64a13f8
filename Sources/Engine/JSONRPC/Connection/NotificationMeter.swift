import EventLoop

/// How many notifications a peer may send.
package struct NotificationLimit: Sendable, Hashable {
  /// The rate that a peer may keep up for ever.
  package var perSecond: Int
  /// How many may come at once, after a pause.
  package var burst: Int
  /// How long a peer may stay above the limit: meanwhile it is read slowly, afterwards the connection ends.
  package var grace: Duration

  /// Creates a limit; a rate or a burst below 1 counts as 1.
  package init(perSecond: Int = 200, burst: Int = 1000, grace: Duration = .seconds(30)) {
    self.perSecond = max(1, perSecond)
    self.burst = max(1, burst)
    self.grace = grace
  }
}

/// Counts the notifications of a peer: a token bucket that holds a burst and is filled at the rate. Pure.
struct NotificationMeter {
  enum Verdict: Equatable {
    case proceed
    /// Read no more for so many nanoseconds.
    case rest(UInt64)
    /// It has gone on for too long.
    case flood
  }

  let limit: NotificationLimit
  /// Notifications that may still come; below zero there is a debt.
  private var tokens: Double
  private var last: UInt64?
  /// Since when the peer sends too many, without having paused for half a burst.
  private var slowedSince: UInt64?

  init(_ limit: NotificationLimit) {
    self.limit = limit
    tokens = Double(limit.burst)
  }

  /// - Parameter count: notifications that came together.
  mutating func came(_ count: Int, at now: UInt64) -> Verdict {
    let rate = Double(limit.perSecond)
    if let last { tokens = min(Double(limit.burst), tokens + Double(now &- last) * rate / 1e9) }
    last = now
    if tokens >= Double(limit.burst) / 2 { slowedSince = nil }
    tokens -= Double(count)
    guard tokens < 0 else { return .proceed }
    let since = slowedSince ?? now
    slowedSince = since
    if now &- since > limit.grace.wholeNanoseconds { return .flood }
    return .rest(UInt64(-tokens / rate * 1e9) + 1)
  }
}
