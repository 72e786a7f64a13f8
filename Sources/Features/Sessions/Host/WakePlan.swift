/// When a containing app is started for the events of a session that nobody has. Pure.
///
/// An app that does not handle them is started again later, three times in all; then not before there is a newer event.
struct WakePlan {
  static let mostAttempts = 3
  /// From an attempt to the next.
  static let pauses: [Duration] = [.seconds(5), .seconds(60)]

  private var attempts = 0
  private var newestEvent: Int64 = 0
  private var notBefore: ContinuousClock.Instant?

  /// When the app may be started; `nil` when it may not.
  ///
  /// - Parameter event: the newest that is not acknowledged.
  mutating func next(for event: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if event > newestEvent, attempts >= Self.mostAttempts { (attempts, notBefore) = (0, nil) }
    newestEvent = max(newestEvent, event)
    guard attempts < Self.mostAttempts else { return nil }
    return max(now, notBefore ?? now)
  }

  /// The app was started, and did not handle the events.
  mutating func failed(at now: ContinuousClock.Instant) {
    attempts += 1
    notBefore = attempts <= Self.pauses.count ? now + Self.pauses[attempts - 1] : nil
  }
}
