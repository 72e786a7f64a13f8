/// How long to wait before a connection is made again: 1 s × 1.3 for each attempt, ± 10 %, at most 30 s.
enum ReconnectDelay {
  /// - Parameters:
  ///   - attempt: how many have failed in a row, from 1.
  ///   - random: from 0 to 1.
  static func after(attempt: Int, random: Double) -> Duration {
    var seconds = 1.0
    for _ in 0..<min(max(attempt - 1, 0), 64) { seconds = min(seconds * 1.3, 30) }
    return .milliseconds(Int64(min(seconds * (0.9 + 0.2 * random), 30) * 1_000))
  }
}
