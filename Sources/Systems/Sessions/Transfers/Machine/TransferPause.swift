internal import EventLoop
internal import HTTPClient
internal import Time

/// How long to wait before another attempt.
enum TransferPause {
  /// The pause of our own making: half of it at least, the rest by chance.
  private static let own = BackOff(first: 1, longest: 300, least: 0.5, chance: 0.5)
  /// The longest pause that a server may ask for.
  private static let longestAsked = Duration.seconds(86_400)

  /// - Parameters:
  ///   - attempts: how many in a row have brought nothing, this one included.
  ///   - response: what the server answered, if anything.
  ///   - random: from 0 to 1, so that many clients do not come back together.
  ///   - now: for a date without another date to compare it with.
  static func length(
    after attempts: Int, _ response: HTTPResponse?, random: Double, at now: TransferInstant
  ) -> Duration {
    let own = Duration.seconds(Self.own.seconds(after: max(attempts, 1), random: random))
    guard let asked = response.flatMap({ asked(by: $0, at: now) }) else { return own }
    return max(own, min(asked, longestAsked))
  }

  private static func asked(by response: HTTPResponse, at now: TransferInstant) -> Duration? {
    guard let text = response.headers["Retry-After"] else { return nil }
    if let seconds = FileVersion.count(text) { return .seconds(seconds) }
    guard let date = HTTPDate.seconds(text) else { return nil }
    let serverNow = response.headers["Date"].flatMap(HTTPDate.seconds) ?? now.wall / 1_000_000_000
    return .seconds(max(0, date - serverNow))
  }
}
