import Glibc

/// A time of day: seconds and nanoseconds since 1970.
struct WallTime: Sendable, Hashable {
  let seconds: Int64
  let nanoseconds: Int32

  /// The machine's time, to the microsecond, which is what the database keeps.
  static var now: WallTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec / 1_000 * 1_000))
  }
}
