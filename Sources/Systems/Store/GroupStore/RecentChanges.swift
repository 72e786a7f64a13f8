import EventLoop
import Synchronization

/// The last writes of this process by suite, so that a watcher in the same process need not ask the database for them;
/// and the signals that wake watchers.
///
/// Only suites that somebody watches are remembered, up to 64 writes or 512 KiB each.
package final class RecentChanges: Sendable {
  /// What a watcher does next.
  enum Look {
    case take(ChangeBatch)
    /// Only the database can tell.
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

  /// Counts what happened of which only the database knows more.
  struct Generation: Equatable {
    /// Other processes may have written.
    var foreign: UInt64 = 0
    /// The store was replaced by another one.
    var replaced: UInt64 = 0
  }

  private let state = Mutex(State())

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

  /// A write of this process. The writer wakes the watchers, with ``wakeWatchers(of:)``.
  package func add(_ changes: [Change], to suite: SuiteID, revision: Int64) {
    state.withLock { $0.logs[suite]?.append(changes, revision) }
  }

  package func wakeWatchers(of suite: SuiteID) { state.withLock { $0.logs[suite]?.signal }?.send() }

  /// Another process may have written.
  package func addForeign() {
    wakeAll { $0.generation.foreign += 1 }
  }

  /// The store is another one: what is remembered is of the one before.
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

  /// - Parameter seen: what ``generation`` was when the database was asked last; `nil` when it never was.
  func look(_ suite: SuiteID, after revision: Int64, seen: Generation?) -> Look {
    state.withLock { state in
      guard seen?.replaced == state.generation.replaced else { return .ask }
      let look = state.logs[suite]?.look(after: revision) ?? .ask
      if case .wait = look, seen != state.generation { return .ask }
      return look
    }
  }

  /// The last change of each key, in the order of the revisions.
  package static func merged(_ changes: [Change]) -> [Change] {
    var seen: Set<String> = []
    return Array(changes.reversed().filter { seen.insert($0.key).inserted }.reversed())
  }
}
