import Contracts
import EventLoop
import ExtensionProtocol
import ExtensionRuntime
import JSONRPC
import PropertyList
import Synchronization

/// The suites that one session uses, and its registered defaults.
final class FollowedSuites: SessionFeature {
  static let notifications = [Defaults.DidChange.method]

  private let suites = Mutex<[String: FollowedSuite]>([:])
  private let registered = Mutex<[String: PropertyListValue]>([:])

  func suite(_ name: String) -> FollowedSuite {
    suites.withLock { suites in
      if let known = suites[name] { return known }
      let suite = FollowedSuite(name: name)
      suites[name] = suite
      return suite
    }
  }

  func receive(_ message: borrowing IncomingMessage) {
    guard let change = try? message.params.decode(Defaults.DidChange.self) else { return }
    suites.withLock { $0[change.suite] }?.changed(change)
  }

  func register(_ values: [String: PropertyListValue]) {
    registered.withLock { $0.merge(values) { _, new in new } }
  }

  func registeredValue(_ key: String) -> PropertyListValue? { registered.withLock { $0[key] } }

  var registeredValues: [String: PropertyListValue] { registered.withLock { $0 } }
}

/// The session's copy of one suite, and the readers that wait for its changes.
final class FollowedSuite: Sendable {
  private struct State {
    var snapshot = SuiteSnapshot()
    var log = ChangeLog()
    var isAsking = false

    /// Notes for the readers of changes what happened to the copy.
    mutating func note(_ outcome: SuiteSnapshot.Outcome) {
      guard let revision = snapshot.revision else { return }
      switch outcome {
      case .advanced(let keys): log.append(keys, revision: revision)
      case .replaced: log.restart(at: revision)
      case .unchanged, .behind: if log.revision == 0 { log.restart(at: revision) }
      }
    }
  }

  private enum Step {
    case ready
    case ask(after: Int64?)
    case wait
  }

  let name: String
  private let state = Mutex(State())
  private let signal = Signal()

  init(name: String) { self.name = name }

  // MARK: Reading

  /// Returns a key's value in the copy; an inner `nil` when the key is not set, an outer `nil` when the host must be
  /// asked.
  @inline(__always) func quick(_ key: String) -> PropertyListValue?? {
    state.withLock { $0.snapshot.isBehind ? nil : .some($0.snapshot.values[key]) }
  }

  /// The values of the copy; `nil` before the first use.
  var values: [String: PropertyListValue]? {
    state.withLock { $0.snapshot.revision == nil ? nil : $0.snapshot.values }
  }

  var revision: Int64? { state.withLock { $0.snapshot.revision } }

  /// Where a reader of changes begins now: the revision, and how often the log has begun anew.
  var position: (revision: Int64, age: Int) {
    state.withLock { ($0.snapshot.revision ?? 0, $0.log.restarts) }
  }

  func entry(_ key: String) -> (value: PropertyListValue, revision: Int64)? {
    state.withLock { state in
      state.snapshot.values[key].map { ($0, state.snapshot.keyRevisions[key] ?? 0) }
    }
  }

  /// Fetches the copy, or the changes that it lacks. Only one request to the host runs at a time.
  func catchUp(_ session: ExtensionSession) async throws(ExtensionError) {
    while true {
      let seen = signal.count
      let step: Step = state.withLock { state in
        if !state.snapshot.isBehind { return .ready }
        if state.isAsking { return .wait }
        state.isAsking = true
        return .ask(after: state.snapshot.revisionToAskAfter)
      }
      switch step {
      case .ready: return
      case .wait:
        do { try await signal.wait(past: seen) } catch { throw ExtensionError(wrapping: error) }
      case .ask(let after):
        defer {
          state.withLock { $0.isAsking = false }
          signal.send()
        }
        try await ask(session, after: after)
      }
    }
  }

  /// Asks the host for what is newest.
  func refresh(_ session: ExtensionSession) async throws(ExtensionError) {
    try await ask(session, after: state.withLock { $0.snapshot.revisionToAskAfter })
  }

  private func ask(_ session: ExtensionSession, after: Int64?) async throws(ExtensionError) {
    let asked = state.withLock { $0.snapshot.misses }
    let answer = try await session.call(Defaults.Follow(suite: name, after: after))
    state.withLock { $0.note($0.snapshot.answered(answer, asked: asked)) }
    signal.send()
  }

  // MARK: Changes

  func changed(_ change: Defaults.DidChange) {
    state.withLock { $0.note($0.snapshot.changed(change)) }
    signal.send()
  }

  /// Applies a write of this process to the copy, so that the next read sees it.
  func wrote(
    at revision: Int64, _ changes: [Defaults.Change]?, _ session: ExtensionSession
  ) async {
    let outcome = state.withLock { state in
      let outcome = changes.map { state.snapshot.wrote($0, at: revision) } ?? state.snapshot.removedAll(at: revision)
      state.note(outcome)
      return outcome
    }
    signal.send()
    // The write has happened, whatever becomes of this question: the next read asks again.
    if outcome == .behind { try? await catchUp(session) }
  }

  /// The next change after a revision to keys with a prefix.
  ///
  /// - Parameter age: how often the log had begun anew at that revision; afterwards, at the change's.
  func next(
    after cursor: Int64, since age: inout Int, prefix: String, _ session: ExtensionSession
  ) async throws(ExtensionError) -> SuiteChange {
    let start = cursor
    var cursor = cursor
    while true {
      let seen = signal.count
      let (found, isBehind, now) = state.withLock {
        ($0.log.change(after: cursor, since: age, prefix: prefix), $0.snapshot.isBehind, $0.log.restarts)
      }
      if var change = found {
        age = now
        if change.mustReread || !change.keys.isEmpty {
          change.after = start
          return change
        }
        cursor = change.revision
      } else if isBehind {
        try await catchUp(session)
      } else {
        do { try await signal.wait(past: seen) } catch { throw ExtensionError(wrapping: error) }
      }
    }
  }
}
