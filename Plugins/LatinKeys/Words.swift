import Synchronization

/// The words that the keyboard knows.
final class Words: Sendable {
  private let known = Mutex<Set<String>>([
    "adventure", "adventures", "cave", "caves", "coast", "evening", "forest", "hello", "highlands", "island", "lantern",
    "morning", "mountain", "please", "river", "summer", "thanks", "tomorrow", "travel", "village", "weather", "winter",
  ])

  /// - Returns: whether any of the words is new.
  @discardableResult func add(_ words: [String]) -> Bool {
    known.withLock { known in words.reduce(false) { known.insert($1.lowercased()).inserted || $0 } }
  }

  /// Words that begin so, the shortest first; at most three.
  func completions(of beginning: String) -> [String] {
    guard beginning.count >= 2 else { return [] }
    let lower = beginning.lowercased()
    let found = known.withLock { known in known.filter { $0.hasPrefix(lower) && $0 != lower } }
    let isCapital = beginning.first?.isUppercase ?? false
    return found.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(3).map {
      isCapital ? $0.prefix(1).uppercased() + $0.dropFirst() : $0
    }
  }
}
