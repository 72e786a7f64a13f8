internal import Synchronization

/// Bytes that many share.
final class ByteBudget: Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(max(0, count)) }

  /// - Returns: false when so many are not left; then none are taken.
  func take(_ count: Int) -> Bool {
    if left.subtract(count, ordering: .relaxed).newValue >= 0 { return true }
    give(count)
    return false
  }

  func give(_ count: Int) { left.add(count, ordering: .relaxed) }
}
