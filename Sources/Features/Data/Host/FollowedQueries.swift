import Contracts
import EventLoop
import ExtensionProtocol
import JSON
import Synchronization

/// Follows the queries that some extensions have executed. The part of the host that shows the results learns of
/// changes, even after the extension has exited.
package final class FollowedQueries: Sendable {
  /// Queries that are followed at one time: those that were executed last.
  static let most = 64

  private struct Query {
    /// The order number of the last execution.
    var order: UInt64
    /// The last result that each extension received.
    var shown: [String: JSONValue?] = [:]
    /// The subscription; `nil` before it begins.
    var following: Following?
  }

  private struct Following {
    let number: UInt64
    /// Ends the subscription when it is finished.
    let end: AsyncStream<Never>.Continuation
  }

  private struct State {
    /// How often a result changed, by observed extension.
    var changes: [String: Int] = [:]
    var queries: [DataCall: Query] = [:]
    var last: UInt64 = 0

    mutating func next() -> UInt64 {
      last += 1
      return last
    }

    mutating func remove(_ call: DataCall) { queries.removeValue(forKey: call)?.following?.end.finish() }
  }

  private let state = Mutex(State())
  private let news = Signal()

  /// Follows the queries of an extension, beginning with its next one.
  package func follow(_ identifier: String) {
    state.withLock { $0.changes[identifier] = $0.changes[identifier] ?? 0 }
  }

  /// Follows nothing for an extension until its next query.
  package func forget(_ identifier: String) {
    state.withLock { state in
      for call in state.queries.keys where state.queries[call]?.shown.removeValue(forKey: identifier) != nil {
        if state.queries[call]?.shown.isEmpty == true { state.remove(call) }
      }
    }
  }

  /// Returns how often the results of an extension's queries have changed; 0 for an extension that is not followed.
  package func changes(of identifier: String) -> Int { state.withLock { $0.changes[identifier] ?? 0 } }

  /// An extension has executed a query.
  ///
  /// - Parameter data: what it got, from which on a change counts.
  func note(_ call: DataCall, _ data: JSONValue?, by identifier: String) {
    let isNew = state.withLock { state in
      guard state.changes[identifier] != nil else { return false }
      if state.queries[call] == nil, state.queries.count >= Self.most,
        let oldest = state.queries.min(by: { $0.value.order < $1.value.order })?.key
      {
        state.remove(oldest)
      }
      state.queries[call, default: Query(order: 0)].order = state.next()
      state.queries[call]?.shown.updateValue(data, forKey: identifier)
      return state.queries[call]?.following == nil
    }
    if isNew { news.send() }
  }

  /// Follows, until the task is cancelled.
  func run(by carrier: any DataCarrier) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let count = news.count
        let fresh = state.withLock { state in
          state.queries.keys.filter { state.queries[$0]?.following == nil }.map { call in
            let (life, end) = AsyncStream.makeStream(of: Never.self)
            let number = state.next()
            state.queries[call]?.following = Following(number: number, end: end)
            return (call, number, life)
          }
        }
        for (call, number, life) in fresh {
          group.addTask { await self.follow(call, number, by: carrier, during: life) }
        }
        try await news.wait(past: count)
      }
    }
  }

  private func follow(
    _ call: DataCall, _ number: UInt64, by carrier: any DataCarrier, during life: AsyncStream<Never>
  ) async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        let end = await self.end(of: call, by: carrier)
        // It begins again when an extension executes it again.
        self.state.withLock { state in
          guard state.queries[call]?.following?.number == number else { return }
          // The user who is signed in now may see other data.
          if end == .interactionRequired {
            for identifier in (state.queries[call]?.shown ?? [:]).keys { state.changes[identifier]? += 1 }
          }
          state.remove(call)
        }
      }
      for await _ in life {}
      group.cancelAll()
    }
  }

  /// Follows a query until the subscription ends.
  ///
  /// - Returns: the reason; `nil` also when the server had sent nothing before, so that the query is not repeated
  ///   without end.
  private func end(of call: DataCall, by carrier: any DataCarrier) async -> ExtensionError.Code? {
    let answers = Signal()
    do {
      try await carrier.follow(call) { outcome in
        if outcome.source == .server { answers.send() }
        self.came(outcome.data, of: call)
      }
      return nil
    } catch {
      return answers.count > 0 ? (error as? ExtensionError)?.code : nil
    }
  }

  private func came(_ data: JSONValue?, of call: DataCall) {
    state.withLock { state in
      for (identifier, shown) in state.queries[call]?.shown ?? [:] where shown != data {
        state.queries[call]?.shown.updateValue(data, forKey: identifier)
        state.changes[identifier]? += 1
      }
    }
  }
}
