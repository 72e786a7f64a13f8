import Synchronization

/// Tells which reports of progress are worth a line: one for each tenth.
final class ProgressMeter: Sendable {
  private let tenth = Mutex(0)

  /// - Parameter part: from 0 to 1.
  func reaches(_ part: Double) -> Bool {
    guard part.isFinite else { return false }
    let reached = Int(max(0, min(part, 1)) * 10)
    return tenth.withLock { tenth in
      guard reached > tenth else { return false }
      tenth = reached
      return true
    }
  }
}
