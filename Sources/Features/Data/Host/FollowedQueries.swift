import Contracts
import EventLoop
import JSONRPC
import Synchronization

/// The queries that some extensions have executed, followed on: who shows what came of them learns when it changes, though
/// the extension has gone.
package final class FollowedQueries: Sendable {
  /// Queries that are followed at one time; others are not.
  private static let most = 64

  private struct State {
    /// How often something has changed, by the extensions that somebody wants to know it of.
    var changes: [String: Int] = [:]
    /// Who has executed a query, by the queries.
    var callers: [DataCall: Set<String>] = [:]
    /// Of these those that are followed.
    var running: Set<DataCall> = []
  }

  private let state = Mutex(State())
  private let news = Signal()

  /// Has the queries of an extension followed from its next one on.
  package func follow(_ identifier: String) {
    state.withLock { $0.changes[identifier] = $0.changes[identifier] ?? 0 }
  }

  /// How often what the queries of an extension came to has changed; 0 for one that nobody follows.
  package func changes(of identifier: String) -> Int { state.withLock { $0.changes[identifier] ?? 0 } }

  /// An extension has executed a query.
  func note(_ call: DataCall, by identifier: String) {
    let isNew = state.withLock { state in
      guard state.changes[identifier] != nil, state.callers[call] != nil || state.callers.count < Self.most else {
        return false
      }
      state.callers[call, default: []].insert(identifier)
      return !state.running.contains(call)
    }
    if isNew { news.send() }
  }

  /// Follows, until the task is cancelled.
  func run(by carrier: any DataCarrier) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let count = news.count
        let fresh = state.withLock { state in
          let fresh = state.callers.keys.filter { !state.running.contains($0) }
          state.running.formUnion(fresh)
          return fresh
        }
        for call in fresh { group.addTask { await self.follow(call, by: carrier) } }
        try await news.wait(past: count)
      }
    }
  }

  private func follow(_ call: DataCall, by carrier: any DataCarrier) async {
    let last = Last()
    try? await carrier.follow(call) { outcome in
      if last.replace(with: outcome.data) { self.changed(call) }
    }
    // It begins again when an extension executes it again.
    state.withLock { state in
      state.callers[call] = nil
      state.running.remove(call)
    }
  }

  private func changed(_ call: DataCall) {
    state.withLock { state in
      for caller in state.callers[call] ?? [] { state.changes[caller]? += 1 }
    }
  }

  /// What a query came to last.
  private final class Last: Sendable {
    private let data = Mutex<JSONValue??>(nil)

    /// - Returns: whether there was something else before.
    func replace(with other: JSONValue?) -> Bool {
      data.withLock { data in
        defer { data = .some(other) }
        guard let before = data else { return false }
        return before != other
      }
    }
  }
}
