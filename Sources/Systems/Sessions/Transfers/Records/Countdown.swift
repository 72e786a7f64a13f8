internal import Time
import Time

/// A moment on both clocks of a machine.
package struct TransferInstant: Sendable, Equatable {
  /// Which start of the machine.
  package var boot: String
  /// Nanoseconds since then, sleep included. Nobody can set this clock.
  package var sinceBoot: Int64
  /// Nanoseconds since 1970, as far as the machine knows.
  package var wall: Int64

  package init(boot: String, sinceBoot: Int64, wall: Int64) {
    (self.boot, self.sinceBoot, self.wall) = (boot, sinceBoot, wall)
  }

  /// This moment, by the clocks of this machine.
  package static var now: TransferInstant {
    TransferInstant(boot: BootClock.system.boot, sinceBoot: BootClock.system.now(), wall: UnixTime.now.wholeNanoseconds)
  }

  /// The time from `start` to this moment. Within one start of the machine only its own clock counts, however often
  /// the wall clock is set. Over a restart it is what the wall clock says, but never less than the machine has been
  /// running since, and never negative.
  package func elapsed(since start: TransferInstant) -> Duration {
    if boot == start.boot { return .nanoseconds(max(0, sinceBoot.subtracting(start.sinceBoot))) }
    return .nanoseconds(max(0, sinceBoot, wall.subtracting(start.wall)))
  }
}

/// A time that runs down whether or not the process, or the machine, is running.
package struct Countdown: Sendable, Equatable {
  package var length: Duration
  package var start: TransferInstant

  package init(_ length: Duration, from start: TransferInstant) {
    (self.length, self.start) = (length, start)
  }

  /// What is left of it, not below zero.
  package func left(at now: TransferInstant) -> Duration { max(.zero, length - now.elapsed(since: start)) }
}

extension Int64 {
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
