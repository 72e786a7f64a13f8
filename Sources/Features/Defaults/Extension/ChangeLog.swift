import Text

/// A stretch of a suite's history, as far as one reader is interested: everything after one revision up to another.
public struct SuiteChange: Sendable, Equatable {
  /// The revision at which the change before ended: none is missed and none comes twice.
  public var after: Int64
  /// The revision that the change leads to.
  public var revision: Int64
  /// The keys that were written or removed, of those with the prefix.
  public var keys: [String]
  /// Whether single changes are no longer known, because the reader fell far behind or the store was replaced: read again
  /// whatever is of interest.
  public var mustReread: Bool
}

/// The last changes of a suite, for readers that are a little behind. Pure.
struct ChangeLog: Sendable {
  private struct Step: Sendable {
    var after: Int64
    var revision: Int64
    var keys: [String]
  }

  /// Steps that are kept.
  static let limit = 256

  private var steps: [Step] = []
  private(set) var revision: Int64 = 0
  /// How often the log has begun anew. The revisions of a store that was replaced say nothing about the new one's.
  private(set) var restarts = 0

  mutating func append(_ keys: [String], revision: Int64) {
    steps.append(Step(after: self.revision, revision: revision, keys: keys))
    self.revision = revision
    if steps.count > Self.limit { steps.removeFirst(steps.count - Self.limit) }
  }

  /// Empties the log: earlier changes are not known individually.
  mutating func restart(at revision: Int64) {
    if self.revision > 0 { restarts += 1 }
    steps = []
    self.revision = revision
  }

  /// Returns the changes that a reader has not seen yet; `nil` when there are none.
  ///
  /// - Parameter age: ``restarts`` when the reader was at its cursor; by default the log has not begun anew since.
  func change(after cursor: Int64, since age: Int? = nil, prefix: String) -> SuiteChange? {
    let isOther = age.map { $0 != restarts } ?? false
    if cursor == revision, !isOther { return nil }
    guard !isOther, let first = steps.firstIndex(where: { $0.after == cursor }) else {
      return SuiteChange(after: cursor, revision: revision, keys: [], mustReread: true)
    }
    var seen: Set<ExactText> = []
    let keys = steps[first...].flatMap(\.keys).filter { key in
      key.utf8.starts(with: prefix.utf8) && seen.insert(ExactText(key)).inserted
    }
    return SuiteChange(after: cursor, revision: revision, keys: keys, mustReread: false)
  }
}
