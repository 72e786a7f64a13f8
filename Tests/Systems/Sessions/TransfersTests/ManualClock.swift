import Synchronization

@testable import Transfers

/// The clocks of a machine that a test sets.
final class ManualClock: Sendable {
  private let state = Mutex(TransferInstant(boot: "one", sinceBoot: 1_000_000_000, wall: 1_800_000_000_000_000_000))

  var now: TransferInstant { state.withLock { $0 } }

  /// Lets time go by.
  func advance(_ duration: Duration) {
    state.withLock {
      $0.sinceBoot += duration.clampedNanoseconds
      $0.wall += duration.clampedNanoseconds
    }
  }

  /// Somebody sets the wall clock.
  func setWall(by duration: Duration) { state.withLock { $0.wall += duration.clampedNanoseconds } }

  /// The machine is off for so long.
  func reboot(off duration: Duration) {
    state.withLock {
      $0.boot += "+"
      $0.sinceBoot = 0
      $0.wall += duration.clampedNanoseconds
    }
  }
}
