/// How long a user has been asked something because of an extension; questions that are open side by side count once.
struct AskedTime: Sendable {
  private var past: UInt64 = 0
  private var count = 0
  private var since: UInt64 = 0

  /// Whether a question is open.
  var isOpen: Bool { count > 0 }

  /// A question is put. Times are monotonic nanoseconds.
  mutating func begin(at now: UInt64) {
    if count == 0 { since = now }
    count += 1
  }

  /// A question is over.
  mutating func end(at now: UInt64) {
    count -= 1
    if count == 0, now > since { past &+= now &- since }
  }

  /// Nanoseconds so far.
  func total(at now: UInt64) -> UInt64 { past &+ (count > 0 && now > since ? now &- since : 0) }
}
