import Glibc

/// Time since this program first asked.
package enum Uptime {
  private static let start = now

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  package static var milliseconds: Int64 { now - start }
}
