internal import Time
import Time

/// A moment on the two clocks of a machine.
package struct TransferInstant: Sendable, Equatable {
  /// The identifier of the machine's start (its boot ID).
  package var boot: String
  /// Nanoseconds since the start, including sleep. This clock cannot be set.
  package var sinceBoot: Int64
  /// Nanoseconds since 1970, by a clock that may be set.
  package var wall: Int64

  /// Creates a moment from readings of the clocks.
  package init(boot: String, sinceBoot: Int64, wall: Int64) {
    (self.boot, self.sinceBoot, self.wall) = (boot, sinceBoot, wall)
  }

  /// This moment, read from the machine's clocks.
  package static var now: TransferInstant {
    TransferInstant(boot: BootClock.system.boot, sinceBoot: BootClock.system.now(), wall: UnixTime.now.wholeNanoseconds)
  }

  /// Returns the time from `start` to this moment. Within one start of the machine only the boot clock is used, however
  /// often the wall clock is set. Across a restart the wall clock is used, but the result is never less than the time
  /// since the restart, and never negative.
  package func elapsed(since start: TransferInstant) -> Duration {
    if boot == start.boot { return .nanoseconds(max(0, sinceBoot.subtracting(start.sinceBoot))) }
    return .nanoseconds(max(0, sinceBoot, wall.subtracting(start.wall)))
  }
}

/// A time limit that continues while the process, or the machine, is not running.
package struct Countdown: Sendable, Equatable {
  /// The complete length of the countdown.
  package var length: Duration
  /// The moment at which the countdown began.
  package var start: TransferInstant

  /// Creates a countdown that begins at `start`.
  package init(_ length: Duration, from start: TransferInstant) {
    (self.length, self.start) = (length, start)
  }

  /// Returns the remaining time, at least zero.
  package func left(at now: TransferInstant) -> Duration { max(.zero, length - now.elapsed(since: start)) }
}

extension Int64 {
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
