import TestSupport
import Testing

@testable import JSONRPC

/// Calls, answers in any order, repeated and late ones, cancellations and deadlines, beside a model that is a list.
@Suite(.timeLimit(.minutes(1))) struct `Calls among random events` {
  /// A call of the model.
  private struct Call {
    let id: Int64
    var due: UInt64?
    var isCancelled = false
    /// What it may be postponed to, and by how much.
    var watch: (timeout: UInt64?, hardDue: UInt64?, last: Double)?
  }

  private enum End { case answered, abandoned }

  private struct Run {
    static let limit = 4
    var calls = CallStateMachine<Int64>(limit: limit)
    var waiting: [Call] = []
    var ended: [Int64: End] = [:]
    var now: UInt64 = 0
    var last: Int64 = 0

    /// - Returns: what is wrong.
    mutating func step(_ number: UInt64) -> String? {
      var chance = RandomSteps.Chance(number)
      switch chance.number(0...9) {
      case 0...2: return begin(&chance)
      case 3, 4: return answer(&chance)
      case 5, 6: return cancel(&chance)
      case 7: return progress(&chance)
      default: return expire(&chance)
      }
    }

    /// An id that is waiting, was, or never was.
    private func id(_ chance: inout RandomSteps.Chance) -> Int64 { Int64(chance.number(-1...Int(last) + 1)) }

    private mutating func begin(_ chance: inout RandomSteps.Chance) -> String? {
      let id = calls.nextID()
      last += 1
      guard id == last else { return "the id \(id) after \(last - 1)" }
      let due = chance.happens(in: 3) ? nil : now + UInt64(chance.number(0...5))
      var call = Call(id: id, due: due)
      var watch: CallStateMachine<Int64>.Watch?
      if chance.happens(in: 2) {
        let timeout = chance.happens(in: 3) ? nil : UInt64(chance.number(1...4))
        let hardDue = chance.happens(in: 3) ? nil : now + UInt64(chance.number(1...8))
        call.watch = (timeout, hardDue, -.infinity)
        watch = .init(report: { _ in }, timeout: timeout, hardDue: hardDue)
      }
      let isFull = waiting.count == Self.limit
      if !isFull { waiting.append(call) } else { ended[id] = .answered }
      return calls.begin(id, id, due: due, watch: watch) == (isFull ? .full : .waiting) ? nil : "begin \(id)"
    }

    private mutating func answer(_ chance: inout RandomSteps.Chance) -> String? {
      let id = id(&chance)
      let expected: String
      if let place = waiting.firstIndex(where: { $0.id == id }) {
        let call = waiting.remove(at: place)
        expected = "\(call.id) \(call.isCancelled)"
        ended[id] = .answered
      } else if ended[id] == .abandoned {
        expected = "late"
        ended[id] = .answered
      } else {
        expected = (1...max(1, last)).contains(id) && last > 0 ? "duplicate" : "unknown"
      }
      let found =
        switch calls.answered(.number(id)) {
        case .resolve(let waiter, let isCancelled): "\(waiter) \(isCancelled)"
        case .late: "late"
        case .duplicate: "duplicate"
        case .unknown: "unknown"
        }
      return found == expected ? nil : "answer \(id): \(found), not \(expected)"
    }

    private mutating func cancel(_ chance: inout RandomSteps.Chance) -> String? {
      let (id, end) = (id(&chance), now + UInt64(chance.number(0...4)))
      let place = waiting.firstIndex { $0.id == id && !$0.isCancelled }
      if let place {
        waiting[place].isCancelled = true
        waiting[place].due = min(waiting[place].due ?? .max, end)
      }
      return calls.cancel(id, graceEnds: end) == (place != nil) ? nil : "cancel \(id)"
    }

    private mutating func progress(_ chance: inout RandomSteps.Chance) -> String? {
      let (id, progress) = (id(&chance), [Double.nan, -1, 0, 0.5, 1][chance.number(0...4)])
      let place = waiting.firstIndex { $0.id == id && $0.watch != nil }
      var expected = place == nil ? "unknown" : "ignore"
      if let place, let watch = waiting[place].watch, !waiting[place].isCancelled, progress > watch.last {
        expected = "tell"
        waiting[place].watch?.last = progress
        if let timeout = watch.timeout { waiting[place].due = min(now + timeout, watch.hardDue ?? .max) }
      }
      let found =
        switch calls.progressed(id, to: progress, at: now) {
        case .tell: "tell"
        case .ignore: "ignore"
        case .unknown: "unknown"
        }
      return found == expected ? nil : "progress \(progress) of \(id): \(found), not \(expected)"
    }

    private mutating func expire(_ chance: inout RandomSteps.Chance) -> String? {
      now += UInt64(chance.number(0...2))
      let due = waiting.filter { ($0.due ?? .max) <= now }.sorted { $0.id < $1.id }
      waiting.removeAll { ($0.due ?? .max) <= now }
      for call in due { ended[call.id] = .abandoned }
      let found = calls.expire(at: now)
      guard found.map(\.id) == due.map(\.id), found.map(\.waiter) == due.map(\.id),
        found.map(\.isCancelled) == due.map(\.isCancelled)
      else { return "at \(now) \(found.map(\.id)) end, not \(due.map(\.id))" }
      return nil
    }

    /// What both say of what is waiting.
    var difference: String? {
      if calls.count != waiting.count || calls.isEmpty != waiting.isEmpty { return "\(calls.count) are waiting" }
      if calls.oldest != waiting.map(\.id).min() { return "the oldest is \(calls.oldest ?? 0)" }
      if calls.nextDue != waiting.compactMap(\.due).min() { return "the next is due at \(calls.nextDue ?? 0)" }
      for id in 0...last where calls.isWaiting(.number(id)) != waiting.contains(where: { $0.id == id }) {
        return "whether \(id) waits"
      }
      return nil
    }
  }

  @Test func `end once each, as the model says`() async {
    let failure = await RandomSteps.failure(seeds: 1...2_000, steps: 60) { steps in
      var run = Run()
      for step in steps { if let wrong = run.step(step) ?? run.difference { return wrong } }
      let rest = run.waiting.map(\.id).sorted()
      return run.calls.close() == rest && run.calls.isEmpty ? nil : "at the end not \(rest)"
    }
    #expect(failure == nil)
  }

  @Test func `that were given up are remembered up to a bound`() {
    var calls = CallStateMachine<Int64>(limit: 2_000)
    let ids = (0..<1_025).map { _ in calls.nextID() }
    for id in ids.dropLast() { _ = calls.begin(id, id, due: 1) }
    #expect(calls.expire(at: 1).count == 1_024)
    _ = calls.begin(ids[1_024], ids[1_024], due: 2)
    guard case .late = calls.answered(.number(ids[0])) else {
      Issue.record("the first of 1,024 is forgotten")
      return
    }
    // One was answered, so there is place for one more; the one after it makes them all be forgotten.
    #expect(calls.expire(at: 2).count == 1)
    guard case .late = calls.answered(.number(ids[1])), case .late = calls.answered(.number(ids[1_024])) else {
      Issue.record("one of 1,024 is forgotten")
      return
    }
    let more = (0..<4).map { _ in calls.nextID() }
    for id in more { _ = calls.begin(id, id, due: 3) }
    #expect(calls.expire(at: 3).count == 4)
    guard case .duplicate = calls.answered(.number(ids[2])) else {
      Issue.record("more than 1,024 are remembered")
      return
    }
  }
}
