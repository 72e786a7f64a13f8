import JSON
import Synchronization
import Text

/// The answers that were used last, read already: a query that comes again within seconds looks at no disk and waits
/// for no other thread.
///
/// An answer is given for a few seconds only, and never longer than it is fresh: another process may have replaced it
/// on the disk meanwhile.
final class RecentAnswers: Sendable {
  /// The seconds for which an answer is kept, from the time at which it was read from the disk or the server.
  static let lifetime = 5
  /// The most bytes of all bodies together.
  static let maximumBytes = 4 << 20

  /// A query as it was asked for: looking it up shall cost less than writing its URL. The order of the variables makes
  /// another URL, but no other answer.
  struct Key: Hashable {
    let query: ExactText
    let variables: JSONObject

    init(query: String, variables: JSONObject) { (self.query, self.variables) = (ExactText(query), variables) }
  }

  private struct Entry {
    /// The answer as the client returns it, except for the age.
    let result: ContentResult
    /// The time at which the answer left its server, in seconds since 1970.
    let born: Int
    /// The seconds since 1970 between which the answer is valid.
    let times: Range<Int>
    let size: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())

  /// An answer with its age.
  func result(for key: Key, now: Int) -> ContentResult? {
    state.withLock { state in
      guard let entry = state.entries[key], entry.times.contains(now) else { return nil }
      var result = entry.result
      result.ageSeconds = now - entry.born
      return result
    }
  }

  func keep(_ answer: GraphQLAnswer, of kept: CachedAnswer, for key: Key, now: Int) {
    let size = kept.body.count
    guard size <= Self.maximumBytes / 4, kept.freshness(now: now) == .fresh else { return forget(key) }
    let born = kept.storedAt - kept.initialAge
    let end = min(now + Self.lifetime, born + kept.control.maximumAge)
    let result = ContentResult(
      data: answer.data, errors: answer.errors, httpStatus: 200, source: .cache, ageSeconds: 0)
    let entry = Entry(result: result, born: born, times: now..<max(now, end), size: size)
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
