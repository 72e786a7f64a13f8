internal import EventLoop

/// When a GET is sent again, and after how long.
struct RetryPolicy: Equatable, Sendable {
  /// Requests in all.
  var maximumAttempts = 3
  /// The wait before the second request, without jitter; it doubles with each further one.
  var firstDelay = 0.25
  /// The longest sum of waits, in seconds. A server that asks for more is not waited for.
  var maximumWait = 10.0

  /// No second request.
  static let never = RetryPolicy(maximumAttempts: 1)

  /// The wait before the next request, in seconds; nil to give up.
  ///
  /// - Parameters:
  ///   - attempts: requests sent so far, from 1.
  ///   - retryAfter: what the server asks for, in seconds: never less is waited.
  ///   - waited: the sum of the waits so far, in seconds.
  ///   - random: from 0 to 1, spreads clients that failed together.
  func delay(attempts: Int, retryAfter: Int?, waited: Double, random: Double) -> Double? {
    guard attempts < maximumAttempts else { return nil }
    let own = BackOff(first: firstDelay, least: 0.5, chance: 0.5).seconds(after: attempts, random: random)
    let delay = max(own, Double(retryAfter ?? 0))
    return waited + delay <= maximumWait ? delay : nil
  }
}
