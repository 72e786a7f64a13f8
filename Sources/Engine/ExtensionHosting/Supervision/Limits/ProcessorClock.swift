import CLinux
import Glibc

/// How finely the kernel counts the processor time of a process. Without a good clock it counts ticks, of which a short
/// run takes none.
enum ProcessorClock {
  /// Whether two readings that differ by less than a millisecond were seen, for this process; asked once.
  static let isFine: Bool = isFine(by: {
    var time: UInt64 = 0
    return clinux_process_time(getpid(), &time) == 0 ? time : nil
  })

  /// A tick of the kernel is a millisecond at least.
  private static let leastTick: UInt64 = 1_000_000
  /// A long step says nothing by itself: another thread of the process ran meanwhile, or the machine was put aside.
  private static let steps = 4

  /// - Parameter reading: the processor time in nanoseconds; `nil` when it cannot be told.
  static func isFine(by reading: () -> UInt64?) -> Bool {
    guard var before = reading() else { return false }
    for _ in 0..<steps {
      guard let after = next(after: before, reading) else { return false }
      if after &- before < leastTick { return true }
      before = after
    }
    return false
  }

  /// The next time that is another one; `nil` when there is none within many readings.
  private static func next(after before: UInt64, _ reading: () -> UInt64?) -> UInt64? {
    for _ in 0..<1_000_000 {
      guard let time = reading() else { return nil }
      if time != before { return time }
    }
    return nil
  }
}
