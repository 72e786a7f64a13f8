import EventLoop
import Synchronization
import Text

/// The last writes of this process for each suite, so that a watcher in the same process can skip the database; and the
/// signals that wake watchers.
///
/// Only watched suites are remembered, up to 64 writes or 512 KiB each.
package final class RecentChanges: Sendable {
  /// The next step of a watcher.
  enum Look {
    case take(ChangeBatch)
    /// Ask the database, because the changes are not all in memory.
    case ask
    case wait
  }

  private struct Log {
    let signal = Signal()
    var watchers = 0
    var writes: [(changes: [Change], revision: Int64)] = []
    var bytes = 0

    mutating func append(_ changes: [Change], _ revision: Int64) {
      writes.append((changes, revision))
      bytes += Self.size(changes)
      while writes.count > 64 || bytes > 512 << 10 { bytes -= Self.size(writes.removeFirst().changes) }
    }

    mutating func clear() { (writes, bytes) = ([], 0) }

    static func size(_ changes: [Change]) -> Int {
      changes.reduce(0) { $0 + $1.key.utf8.count + ($1.bytes?.count ?? 0) }
    }

    func look(after revision: Int64) -> Look {
      guard let first = writes.firstIndex(where: { $0.revision > revision }) else { return .wait }
      var next = revision + 1
      var changes: [Change] = []
      for write in writes[first...] {
        guard write.revision == next else { break }
        changes += write.changes
        next += 1
      }
      return next == revision + 1 ? .ask : .take(.changed(RecentChanges.merged(changes), through: next - 1))
    }
  }

  private struct State {
    var logs: [SuiteID: Log] = [:]
    var generation = Generation()
  }

  /// Counters of events after which a watcher must ask the database.
  struct Generation: Equatable {
    /// How often another process may have written.
    var foreign: UInt64 = 0
    /// How often the store was replaced by another one.
    var replaced: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Creates an empty list.
  package init() {}

  var generation: Generation { state.withLock { $0.generation } }

  func addWatcher(of suite: SuiteID) -> Signal {
    state.withLock { state in
      state.logs[suite, default: Log()].watchers += 1
      return state.logs[suite, default: Log()].signal
    }
  }

  func removeWatcher(of suite: SuiteID) {
    state.withLock { state in
      guard var log = state.logs[suite] else { return }
      log.watchers -= 1
      state.logs[suite] = log.watchers > 0 ? log : nil
    }
  }

  /// Records a write of this process. The writer then calls ``wakeWatchers(of:)``.
  package func add(_ changes: [Change], to suite: SuiteID, revision: Int64) {
    state.withLock { $0.logs[suite]?.append(changes, revision) }
  }

  /// Wakes the watchers of a suite.
  package func wakeWatchers(of suite: SuiteID) { state.withLock { $0.logs[suite]?.signal }?.send() }

  /// Records that another process may have written, and wakes every watcher.
  package func addForeign() {
    wakeAll { $0.generation.foreign += 1 }
  }

  /// Forgets the recorded writes because the store was replaced, and wakes every watcher.
  package func addReplacement() {
    wakeAll { state in
      state.generation.replaced += 1
      for suite in state.logs.keys { state.logs[suite]?.clear() }
    }
  }

  private func wakeAll(_ change: (inout State) -> Void) {
    let signals = state.withLock { state in
      change(&state)
      return state.logs.values.map(\.signal)
    }
    for signal in signals { signal.send() }
  }

  /// Returns what a watcher should do next.
  ///
  /// - Parameter seen: the ``generation`` at the watcher's last query of the database; `nil` before the first one.
  func look(_ suite: SuiteID, after revision: Int64, seen: Generation?) -> Look {
    state.withLock { state in
      guard seen?.replaced == state.generation.replaced else { return .ask }
      let look = state.logs[suite]?.look(after: revision) ?? .ask
      if case .wait = look, seen != state.generation { return .ask }
      return look
    }
  }

  /// Returns the last change of each key, in the order of the revisions.
  package static func merged(_ changes: [Change]) -> [Change] {
    var seen: Set<ExactText> = []
    return Array(changes.reversed().filter { seen.insert(ExactText($0.key)).inserted }.reversed())
  }
}
