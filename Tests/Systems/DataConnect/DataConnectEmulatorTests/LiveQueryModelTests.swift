import DataConnectCompiler
import JSON
import TestSupport
import Testing

@testable import DataConnectEmulator

/// The table of subscribed queries beside a plain model: whatever comes, in whatever order, nothing is executed twice for
/// one need, nothing that is needed is forgotten, and nothing is left of what is gone.
@Suite(.timeLimit(.minutes(1)))
struct `The table of subscribed queries` {
  private final class Nobody: SubscriberSink {
    func deliver(_ members: String, to request: String) {}
    func end(_ failure: RequestFailure, of request: String) {}
  }

  private static let sink = Nobody()
  private static let rules: [[RefreshRule]] = [
    [], [.mutation(name: "a", condition: nil)], [.every(milliseconds: 5), .mutation(name: "a", condition: "x")],
    [.mutation(name: "b", condition: nil), .mutation(name: "a", condition: nil)], [.every(milliseconds: 7)],
  ]

  private static func key(_ number: Int) -> QueryKey {
    QueryKey(service: "s", connector: "c", operation: "q\(number)", variables: [:], caller: nil)
  }

  /// What is known of a query without the table.
  private struct Model {
    var subscribers: Set<UInt64> = []
    var runs: UInt64 = 0
    var isRunning = false
    var isNeeded = false
    var rows: Set<String> = []
    var rules: [RefreshRule] = []
  }

  /// What the table says that it should not.
  private static func fault(_ state: LiveQueries.State, _ model: [UInt64: Model]) -> String? {
    if Set(state.queries.keys) != Set(model.keys) { return "there are \(state.queries.keys), not \(model.keys)" }
    if state.ids.count != model.count { return "there are \(state.ids.count) keys" }
    var (rows, mutations): ([String: Set<UInt64>], [String: Set<UInt64>]) = ([:], [:])
    for (id, wanted) in model {
      guard let query = state.queries[id], state.ids[query.key] == id else { return "\(id) has no key" }
      if Set(query.subscribers.keys) != wanted.subscribers { return "\(id) has other subscribers" }
      if query.runs != wanted.runs || query.isRunning != wanted.isRunning { return "\(id) ran \(query.runs) times" }
      if query.isDirty != wanted.isNeeded { return "\(id) is \(query.isDirty ? "" : "not ")needed" }
      let isWaiting = state.waiting.count { $0 == id }
      if isWaiting != (wanted.isNeeded && !wanted.isRunning ? 1 : 0) { return "\(id) waits \(isWaiting) times" }
      if query.watched != wanted.rows || query.refreshes != wanted.rules { return "\(id) watches something else" }
      for row in wanted.rows { rows[row, default: []].insert(id) }
      for case .mutation(let name, _) in wanted.rules { mutations[name, default: []].insert(id) }
    }
    if state.byRow != rows { return "the rows are \(state.byRow), not \(rows)" }
    return state.byMutation == mutations ? nil : "the mutations are \(state.byMutation), not \(mutations)"
  }

  private static func run(_ steps: [UInt64]) -> String? {
    var state = LiveQueries.State()
    var model: [UInt64: Model] = [:]
    var running: Set<UInt64> = []
    for step in steps {
      var chance = RandomSteps.Chance(step)
      let key = key(chance.number(0...3))
      let known = state.ids[key]
      switch chance.number(0...8) {
      case 0, 1:
        let id = state.id(of: key, .nobody)
        if known == nil {
          model[id] = Model()
        } else if known != id {
          return "\(key.operation) is \(id), not \(known ?? 0)"
        }
        state.lastID += 1
        let needed = state.need(id)
        state.queries[id]?.subscribers[state.lastID] = Subscriber(
          sink: sink, request: "r", neededRun: needed, etag: nil)
        model[id]?.subscribers.insert(state.lastID)
        model[id]?.isNeeded = true
        // The one that runs may have begun before.
        if needed != (model[id]?.runs ?? 0) + 1 { return "it needs run \(needed)" }
      case 2:
        guard let known, let subscriber = model[known]?.subscribers.min() else { continue }
        state.leave(key, subscriber)
        model[known]?.subscribers.remove(subscriber)
        if model[known]?.subscribers.isEmpty == true { model[known] = nil }
      case 3:
        _ = state.need(known ?? 1_000_000)
        if let known { model[known]?.isNeeded = true }
      case 4:
        // As an execution begins: the longest waiting of those that are there.
        while let id = state.waiting.popLast() {
          guard state.queries[id] != nil else { continue }
          state.queries[id]?.isRunning = true
          state.queries[id]?.isDirty = false
          state.queries[id]?.runs += 1
          state.runningCount += 1
          running.insert(id)
          model[id]?.isRunning = true
          model[id]?.isNeeded = false
          model[id]?.runs += 1
          break
        }
      case 5:
        guard let id = running.min() else { continue }
        running.remove(id)
        state.ended(id)
        model[id]?.isRunning = false
      case 6:
        let rows = Set((0..<chance.number(0...3)).map { _ in chance.one(of: ["x", "y", "z"]) })
        state.watch(rows, known ?? 1_000_000)
        if let known { model[known]?.rows = rows }
      case 7:
        let rules = chance.one(of: rules)
        state.refresh(rules, known ?? 1_000_000)
        if let known { model[known]?.rules = rules }
      default:
        guard chance.happens(in: 3) else { continue }
        let gone = state.remove(known ?? 1_000_000)
        if gone.count != known.flatMap({ model[$0]?.subscribers.count }) ?? 0 { return "\(gone.count) are told" }
        if let known { model[known] = nil }
      }
      if state.runningCount != running.count { return "\(state.runningCount) run, not \(running.count)" }
      if let fault = fault(state, model) { return fault }
    }
    return nil
  }

  @Test func `forgets no need, and keeps nothing of what is gone`() async {
    #expect(await RandomSteps.failure(seeds: 1...300, steps: 80) { Self.run($0) } == nil)
  }

  @Test func `wants the shortest of the times that its rules name`() {
    var query = LiveQuery(Self.key(1), .nobody)
    #expect(query.wantedInterval == nil)
    query.refreshes = [.every(milliseconds: 9), .mutation(name: "a", condition: nil), .every(milliseconds: 4)]
    #expect(query.wantedInterval == 4)
    query.refreshes = [.mutation(name: "a", condition: nil)]
    #expect(query.wantedInterval == nil)
  }
}
