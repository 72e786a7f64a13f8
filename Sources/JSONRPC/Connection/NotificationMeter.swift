import EventLoop

/// How many notifications a peer may send.
package struct NotificationLimit: Sendable, Hashable {
  /// For ever.
  package var perSecond: Int
  /// At once, after a time of rest.
  package var burst: Int
  /// How long a peer may go on sending more than it may: meanwhile it is read slowly, afterwards it is cut off.
  package var patience: Duration

  package init(perSecond: Int = 200, burst: Int = 1000, patience: Duration = .seconds(30)) {
    self.perSecond = max(1, perSecond)
    self.burst = max(1, burst)
    self.patience = patience
  }
}

/// Counts the notifications of a peer: a bucket that holds a burst and is filled again at the rate. Pure.
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
  private var room: Double
  private var last: UInt64?
  /// Since when the peer sends too many, without having paused for half a burst.
  private var slowedSince: UInt64?

  init(_ limit: NotificationLimit) {
    self.limit = limit
    room = Double(limit.burst)
  }

  /// So many came together.
  mutating func came(_ count: Int, at now: UInt64) -> Verdict {
    let rate = Double(limit.perSecond)
    if let last { room = min(Double(limit.burst), room + Double(now &- last) * rate / 1e9) }
    last = now
    if room >= Double(limit.burst) / 2 { slowedSince = nil }
    room -= Double(count)
    guard room < 0 else { return .proceed }
    let since = slowedSince ?? now
    slowedSince = since
    if now &- since > limit.patience.wholeNanoseconds { return .flood }
    return .rest(UInt64(-room / rate * 1e9) + 1)
  }
}
