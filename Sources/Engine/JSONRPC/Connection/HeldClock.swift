/// The clock that the deadlines of calls are counted by: it runs with the loop's, and stands still while it is held.
///
/// Times of this clock and of the loop's are nanoseconds, and the same before it is held for the first time.
struct HeldClock {
  /// How long it has stood still, before it was held last.
  private var lag: UInt64 = 0
  private var holders = 0
  /// When it was held, on the loop's clock.
  private var since: UInt64 = 0

  /// Whether it stands still.
  var isHeld: Bool { holders > 0 }

  /// Stops it; as often as it is held it has to be released.
  mutating func hold(at now: UInt64) {
    if holders == 0 { since = now }
    holders += 1
  }

  /// Lets it run again.
  mutating func release(at now: UInt64) {
    holders -= 1
    if holders == 0, now > since { lag &+= now &- since }
  }

  /// What it shows.
  ///
  /// - Parameter now: what the loop's clock shows.
  func time(at now: UInt64) -> UInt64 { (isHeld ? min(now, since) : now) &- lag }

  /// When it will show a time, if it runs on: a time of the loop's clock.
  func due(_ time: UInt64) -> UInt64 { time &+ lag }
}
