import Cryptography
import DataConnectCompiler
import EventLoop
import JSON
import Synchronization

/// The subscribed queries. An execution serves all subscribers of equal queries.
final class LiveQueries: Sendable {
  /// Executes a query. It says which rows the query shows and when else it has to be executed before it looks at any of
  /// them, so that no change is missed.
  typealias Execution =
    @Sendable (
      _ query: LiveQuery, _ watch: @Sendable (Set<String>, [RefreshRule]) -> Void
    ) async throws(RequestFailure) -> ExecutedOperation

  struct State {
    var queries: [UInt64: LiveQuery] = [:]
    var ids: [QueryKey: UInt64] = [:]
    /// The queries whose results show a row.
    var byRow: [String: Set<UInt64>] = [:]
    /// The queries that a mutation of this name may concern.
    var byMutation: [String: Set<UInt64>] = [:]
    var waiting: [UInt64] = []
    /// Queries that may want another timer.
    var untimed: [UInt64] = []
    var runningCount = 0
    var lastID: UInt64 = 0
  }

  private static let retryPause = Duration.seconds(1)
  private let mostRunning: Int
  private let work = Signal()
  private let state = Mutex(State())

  /// - Parameter mostRunning: executions at one time.
  init(mostRunning: Int) { self.mostRunning = max(1, mostRunning) }

  // MARK: Subscribers

  /// Adds a subscriber, which gets a result that is made from now on, and every other that comes after it.
  ///
  /// - Returns: what the subscription is called here.
  func join(_ key: QueryKey, _ caller: OperationCaller, _ sink: any SubscriberSink, request: String, etag: String?)
    -> UInt64
  {
    let id = state.withLock { state in
      let query = state.id(of: key, caller)
      state.lastID += 1
      let needed = state.need(query)
      state.queries[query]?.subscribers[state.lastID] = Subscriber(
        sink: sink, request: request, neededRun: needed, etag: etag)
      return state.lastID
    }
    work.send()
    return id
  }

  /// Sends a subscriber the current result again.
  func resume(_ key: QueryKey, _ subscriber: UInt64, etag: String?) {
    state.withLock { state in
      guard let query = state.ids[key] else { return }
      let needed = state.need(query)
      state.queries[query]?.subscribers[subscriber]?.neededRun = needed
      state.queries[query]?.subscribers[subscriber]?.etag = etag
    }
    work.send()
  }

  func leave(_ key: QueryKey, _ subscriber: UInt64) { state.withLock { $0.leave(key, subscriber) } }

  var count: Int { state.withLock { $0.queries.count } }
  var subscriberCount: Int { state.withLock { $0.queries.values.reduce(0) { $0 + $1.subscribers.count } } }

  // MARK: Changes

  /// Rows have been written.
  func written(_ rows: Set<String>) {
    if rows.isEmpty { return }
    let isNews = state.withLock { state in
      let concerned = rows.reduce(into: Set<UInt64>()) { $0.formUnion(state.byRow[$1] ?? []) }
      for id in concerned { _ = state.need(id) }
      return !concerned.isEmpty
    }
    if isNews { work.send() }
  }

  /// A mutation was executed.
  ///
  /// - Parameter holds: whether a condition is fulfilled for a query.
  func executed(
    _ mutation: String, of service: String, _ connector: String, _ holds: (LiveQuery, String) -> Bool
  ) {
    let candidates = state.withLock { state in
      (state.byMutation[mutation] ?? []).compactMap { id in state.queries[id].map { (id: id, query: $0) } }
    }
    let concerned = candidates.filter { _, query in
      guard query.key.connector == connector, query.key.service == service else { return false }
      return query.refreshes.contains { rule in
        guard case .mutation(mutation, let condition) = rule else { return false }
        return condition.map { holds(query, $0) } ?? true
      }
    }
    if concerned.isEmpty { return }
    state.withLock { state in for (id, _) in concerned { _ = state.need(id) } }
    work.send()
  }

  /// Something else is served from now on.
  func deployed() {
    state.withLock { state in for id in state.queries.keys { _ = state.need(id) } }
    work.send()
  }

  // MARK: Executions

  /// Executes queries as they need it, until the task is cancelled.
  func run(on loop: EventLoop, _ execute: @escaping Execution) async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let count = work.count
        while let (id, query, run) = begin() {
          group.addTask {
            let again = await self.run(id, query, run, execute)
            if let again, (try? await loop.sleep(for: again)) != nil { self.refresh(id) }
          }
        }
        for timer in state.withLock({ $0.newTimers() }) {
          group.addTask { await self.run(timer, on: loop) }
        }
        guard (try? await work.wait(past: count)) != nil else { break }
      }
      group.cancelAll()
    }
  }

  private func refresh(_ id: UInt64) {
    state.withLock { _ = $0.need(id) }
    work.send()
  }

  /// The next query to execute, if there is room.
  private func begin() -> (UInt64, LiveQuery, UInt64)? {
    state.withLock { state in
      while state.runningCount < mostRunning, let id = state.waiting.popLast() {
        guard var query = state.queries[id] else { continue }
        query.isRunning = true
        query.isDirty = false
        query.runs += 1
        state.queries[id] = query
        state.runningCount += 1
        return (id, query, query.runs)
      }
      return nil
    }
  }

  /// - Returns: after which time it has to be tried again.
  private func run(_ id: UInt64, _ query: LiveQuery, _ run: UInt64, _ execute: Execution) async -> Duration? {
    defer {
      state.withLock { $0.ended(id) }
      work.send()
    }
    do throws(RequestFailure) {
      let response = try await execute(query) { watched, refreshes in
        self.state.withLock { state in
          state.watch(watched, id)
          state.refresh(refreshes, id)
          state.untimed.append(id)
        }
      }
      deliver(response, id, run)
      return nil
    } catch {
      let isPassing = [.unavailable, .deadlineExceeded, .resourceExhausted, .cancelled].contains(error.code)
      if isPassing { return Self.retryPause }
      let subscribers = state.withLock { $0.remove(id) }
      for subscriber in subscribers { subscriber.sink.end(error, of: subscriber.request) }
      return nil
    }
  }

  private func deliver(_ response: ExecutedOperation, _ id: UInt64, _ run: UInt64) {
    var bytes: [UInt8] = []
    response.writeMembers(into: &bytes)
    let etag = Hexadecimal.text(for: SHA256.digest(of: bytes).prefix(16))
    let members = String(decoding: bytes, as: UTF8.self) + ",\"dataEtag\":\"\(etag)\""
    let receivers = state.withLock { state -> [Subscriber] in
      guard var query = state.queries[id] else { return [] }
      var receivers: [Subscriber] = []
      for (number, subscriber) in query.subscribers {
        let isFirst = subscriber.neededRun.map { $0 <= run } ?? false
        if isFirst { query.subscribers[number]?.neededRun = nil }
        // A subscriber that waits for a later execution receives only that one.
        let isWanted = isFirst ? subscriber.etag != etag : subscriber.neededRun == nil && query.etag != etag
        if isWanted { receivers.append(subscriber) }
      }
      query.etag = etag
      state.queries[id] = query
      return receivers
    }
    for receiver in receivers { receiver.sink.deliver(members, to: receiver.request) }
  }

  // MARK: Timers

  private func run(_ timer: QueryTimer, on loop: EventLoop) async {
    while (try? await loop.sleep(for: .milliseconds(timer.interval))) != nil {
      guard state.withLock({ $0.isWanted(timer) }) else { return }
      refresh(timer.query)
    }
  }
}

extension LiveQueries.State {
  /// The query of a key, which may be new.
  mutating func id(of key: QueryKey, _ caller: OperationCaller) -> UInt64 {
    if let id = ids[key] { return id }
    lastID += 1
    ids[key] = lastID
    queries[lastID] = LiveQuery(key, caller)
    return lastID
  }

  /// Requests an execution of a query.
  ///
  /// - Returns: the number of the execution that begins after this call.
  mutating func need(_ id: UInt64) -> UInt64 {
    guard let query = queries[id] else { return 0 }
    if query.isRunning {
      queries[id]?.isDirty = true
    } else if !query.isDirty {
      queries[id]?.isDirty = true
      waiting.insert(id, at: 0)
    }
    return query.runs + 1
  }

  /// An execution has ended.
  mutating func ended(_ id: UInt64) {
    runningCount -= 1
    guard queries[id] != nil else { return }
    queries[id]?.isRunning = false
    guard queries[id]?.isDirty == true else { return }
    waiting.insert(id, at: 0)
  }

  mutating func leave(_ key: QueryKey, _ subscriber: UInt64) {
    guard let id = ids[key] else { return }
    queries[id]?.subscribers[subscriber] = nil
    if queries[id]?.subscribers.isEmpty == true { _ = remove(id) }
  }

  /// Removes a query.
  ///
  /// - Returns: its subscribers.
  mutating func remove(_ id: UInt64) -> [Subscriber] {
    watch([], id)
    refresh([], id)
    guard let query = queries.removeValue(forKey: id) else { return [] }
    ids[query.key] = nil
    return Array(query.subscribers.values)
  }

  /// Says which rows a query shows.
  mutating func watch(_ rows: Set<String>, _ id: UInt64) {
    guard let query = queries[id], query.watched != rows else { return }
    for row in query.watched.subtracting(rows) {
      byRow[row]?.remove(id)
      if byRow[row]?.isEmpty == true { byRow[row] = nil }
    }
    for row in rows.subtracting(query.watched) { byRow[row, default: []].insert(id) }
    queries[id]?.watched = rows
  }

  /// Says when else a query has to be executed.
  mutating func refresh(_ rules: [RefreshRule], _ id: UInt64) {
    guard let query = queries[id], query.refreshes != rules else { return }
    for case .mutation(let name, _) in query.refreshes {
      byMutation[name]?.remove(id)
      if byMutation[name]?.isEmpty == true { byMutation[name] = nil }
    }
    for case .mutation(let name, _) in rules { byMutation[name, default: []].insert(id) }
    queries[id]?.refreshes = rules
  }

  // MARK: Timers

  /// The timers of queries that want to be executed again and again, and have no timer for it.
  mutating func newTimers() -> [QueryTimer] {
    var found: [QueryTimer] = []
    for id in untimed {
      guard let query = queries[id], query.timer?.interval != query.wantedInterval else { continue }
      lastID += 1
      let timer = query.wantedInterval.map { [lastID] in QueryTimer(query: id, number: lastID, interval: $0) }
      queries[id]?.timer = timer
      if let timer { found.append(timer) }
    }
    untimed = []
    return found
  }

  /// Whether a timer is still its query's: another may have taken its place, also one of the same interval.
  func isWanted(_ timer: QueryTimer) -> Bool { queries[timer.query]?.timer == timer }
}
