internal import EventLoop

/// How long to wait before a connection is made again: 1 s × 1.3 for each attempt, ± 10 %, at most 30 s.
enum ReconnectDelay {
  private static let backOff = BackOff(first: 1, factor: 1.3, longest: 30, least: 0.9, chance: 0.2)

  /// - Parameters:
  ///   - attempt: how many have failed in a row, from 1.
  ///   - random: from 0 to 1.
  static func after(attempt: Int, random: Double) -> Duration {
    .milliseconds(Int64(backOff.seconds(after: max(attempt, 1), random: random) * 1_000))
  }
}
