/// How many errors without an id a peer is sent: a token bucket. Pure.
///
/// JSON-RPC 2.0 answers what is no message with an error whose id is null. A peer that prints for every message it reads
/// would get an error for each print, print more for each error, and so on, until both pipes are full. Errors beyond the
/// limit are not sent; the handler still hears of every message that was wrong.
struct AnonymousErrorLimit {
  /// The most errors that are sent at once, after a pause.
  static let burst = 16
  /// Nanoseconds after which one more may be sent.
  static let interval: UInt64 = 250_000_000

  private var left = burst
  /// When the last error was added to `left`, or the first was taken from it.
  private var filled: UInt64 = 0

  /// Returns whether one more may be sent, and counts it.
  ///
  /// - Parameter now: monotonic nanoseconds.
  mutating func takes(at now: UInt64) -> Bool {
    let earned = Int(clamping: (now &- filled) / Self.interval)
    if earned >= Self.burst - left {
      left = Self.burst
      filled = now
    } else {
      left += earned
      filled &+= UInt64(earned) * Self.interval
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
