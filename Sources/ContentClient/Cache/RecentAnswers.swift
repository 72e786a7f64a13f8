import JSONRPC
import Synchronization

/// The answers that were used last, read already: a query that comes again within seconds looks at no disk and waits
/// for no other thread.
///
/// An answer is given for a few seconds only, and never longer than it is fresh: another process may have replaced it
/// on the disk meanwhile.
final class RecentAnswers: Sendable {
  /// Seconds from the disk, or the server, on.
  static let lifetime = 5
  /// Of all bodies together.
  static let maximumBytes = 4 << 20

  /// A query as it was asked for: looking it up shall cost less than writing its URL. The order of the variables makes
  /// another URL, but no other answer.
  struct Key: Hashable {
    let query: String
    let variables: JSONObject
  }

  private struct Entry {
    let answer: GraphQLAnswer
    /// How old the answer is, and how long it is fresh; without its body.
    let kept: CachedAnswer
    let size: Int
    let since: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())

  /// An answer, and its age in seconds.
  func answer(for key: Key, now: Int) -> (GraphQLAnswer, age: Int)? {
    state.withLock { state in
      guard let entry = state.entries[key] else { return nil }
      let isCurrent =
        now >= entry.since && now - entry.since < Self.lifetime && entry.kept.freshness(now: now) == .fresh
      return isCurrent ? (entry.answer, entry.kept.age(now: now)) : nil
    }
  }

  func keep(_ answer: GraphQLAnswer, of kept: CachedAnswer, for key: Key, now: Int) {
    let size = kept.body.count
    guard size <= Self.maximumBytes / 4, kept.freshness(now: now) == .fresh else { return forget(key) }
    var bodiless = kept
    bodiless.body = []
    let entry = Entry(answer: answer, kept: bodiless, size: size, since: now)
    state.withLock { state in
      state.bytes += size - (state.entries.updateValue(entry, forKey: key)?.size ?? 0)
      guard state.bytes > Self.maximumBytes else { return }
      // Too many for seconds: the others are on the disk.
      state = State(entries: [key: entry], bytes: size)
    }
  }

  func forget(_ key: Key) {
    state.withLock { state in
      if let old = state.entries.removeValue(forKey: key) { state.bytes -= old.size }
    }
  }
}
