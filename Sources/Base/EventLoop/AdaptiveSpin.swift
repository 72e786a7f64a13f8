/// Decides whether a loop polls for a moment before it sleeps.
///
/// It polls only when the last wait had work. A poll in vain doubles the number of waits without one, up to 1,023; a
/// hit halves it. It never yields the processor: a yield beside two busy processes gave away whole time slices.
struct AdaptiveSpin {
  /// Nanoseconds of polling; 0 never polls.
  let limit: UInt64
  private var isActive = false
  private var skips = 0
  private var misses = 0

  init(limit: Duration) {
    self.limit = UInt64(max(0, limit / .nanoseconds(1)))
  }

  /// Whether to poll before this wait. Asked once before each.
  mutating func beginWait() -> Bool {
    guard limit > 0, isActive else { return false }
    if skips > 0 {
      skips -= 1
      return false
    }
    return true
  }

  mutating func hit() { misses = max(0, misses - 1) }

  mutating func miss() {
    misses = min(misses + 1, 10)
    skips = (1 << misses) - 1
  }

  mutating func slept() { isActive = false }
  mutating func workCame() { isActive = true }
}
