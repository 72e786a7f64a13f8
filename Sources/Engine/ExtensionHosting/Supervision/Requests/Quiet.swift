/// How long an extension has shown no sign of life.
enum Quiet {
  /// - Parameters:
  ///   - last: when it showed the last one, in monotonic nanoseconds. It may show one between the look at this time and the
  ///     look at the clock, or the other way round: a sign after `now` is no silence.
  ///   - now: on the same clock.
  static func since(_ last: UInt64, at now: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: last < now ? now - last : 0))
  }
}
