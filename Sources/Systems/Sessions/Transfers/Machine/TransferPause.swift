internal import EventLoop
internal import HTTPClient
internal import Time

/// Computes the pause before another attempt.
enum TransferPause {
  /// The pause of our own making: half of it at least, the rest by chance.
  private static let own = BackOff(first: 1, longest: 300, least: 0.5, chance: 0.5)

  /// Returns the length of the pause.
  ///
  /// - Parameters:
  ///   - attempts: the number of attempts in a row without progress, this one included.
  ///   - response: the server's answer, if there was one.
  ///   - random: a number from 0 to 1, which spreads the retries of many clients.
  ///   - now: the time to compare a `Retry-After` date with when the response has no `Date`.
  static func length(
    after attempts: Int, _ response: HTTPResponse?, random: Double, at now: TransferInstant
  ) -> Duration {
    let own = Duration.seconds(Self.own.seconds(after: max(attempts, 1), random: random))
    let asked = response?.retryAfter(now: now.wall / 1_000_000_000)
    return max(own, .seconds(asked ?? 0))
  }
}
