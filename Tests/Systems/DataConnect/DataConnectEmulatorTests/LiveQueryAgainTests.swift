import DataConnectCompiler
import EventLoop
import JSON
import Synchronization
import Testing

@testable import DataConnectEmulator

/// Executions that go on when the test lets them, in the order in which they began.
private final class Stage: Sendable {
  struct State {
    var begun: [String] = []
    var allowed = 0
    var running = 0
    /// The most that ran at one time.
    var most = 0
  }

  private let state = Mutex(State())
  private let changed = Signal()

  var begun: [String] { state.withLock { $0.begun } }
  var most: Int { state.withLock { $0.most } }

  /// - Returns: the number of the execution.
  func turn(_ name: String) async -> Int {
    let number = state.withLock { state in
      state.begun.append(name)
      state.running += 1
      state.most = max(state.most, state.running)
      return state.begun.count
    }
    changed.send()
    await until { $0.allowed >= number }
    state.withLock { $0.running -= 1 }
    return number
  }

  func allow(_ count: Int) {
    state.withLock { $0.allowed = count }
    changed.send()
  }

  func until(_ isFulfilled: (State) -> Bool) async {
    while true {
      let count = changed.count
      if state.withLock({ isFulfilled($0) }) { return }
      guard (try? await changed.wait(past: count)) != nil else { return }
    }
  }
}

/// What comes while a query is executed, after it has ended, and for the second time.
@Suite(.timeLimit(.minutes(1)))
struct `A query that is executed again` {
  private static func key(_ name: String) -> QueryKey {
    QueryKey(service: "s", connector: "c", operation: name, variables: [:], caller: nil)
  }

  private static func result(_ text: String) -> ExecutedOperation {
    ExecutedOperation(results: [], failure: OperationError(.aborted, text))
  }

  @Test func `tells only what somebody does not have, who begins or goes on with a tag`() async throws {
    let text = Mutex("one")
    try await LiveQueries.running(
      1,
      { _, watch throws(RequestFailure) in
        watch(["row"], [])
        return Self.result(text.withLock { $0 })
      }
    ) { queries in
      let (first, knowing, other) = (LiveQueryListener(), LiveQueryListener(), LiveQueryListener())
      _ = queries.join(Self.key("a"), .nobody, first, request: "1", etag: nil)
      try await first.count(1)
      let one = try #require(first.etags.first)
      #expect(one.utf8.count == 32)
      let known = queries.join(Self.key("a"), .nobody, knowing, request: "2", etag: one)
      let third = queries.join(Self.key("a"), .nobody, other, request: "3", etag: "another")
      try await other.count(1)
      #expect(knowing.messages == [] && other.messages == ["3 one"])
      text.withLock { $0 = "two" }
      queries.written(["row"])
      for (listener, count) in [(first, 2), (knowing, 1), (other, 2)] { try await listener.count(count) }
      let two = try #require(first.etags.last)
      #expect(two != one && knowing.etags == [two])
      // Who goes on and has it gets nothing; who does not have it gets it again.
      queries.resume(Self.key("a"), known, etag: two)
      queries.resume(Self.key("a"), third, etag: nil)
      try await other.count(3)
      #expect(knowing.messages == ["2 two"] && other.messages == ["3 one", "3 two", "3 two"])
      queries.resume(Self.key("a"), known, etag: one)
      try await knowing.count(2)
      #expect(knowing.messages == ["2 two", "2 two"])
      // Of another query nobody goes on.
      queries.resume(Self.key("b"), known, etag: nil)
      #expect(queries.count == 1)
      // What was there before is news again.
      text.withLock { $0 = "one" }
      queries.written(["row"])
      for (listener, count) in [(first, 3), (knowing, 3), (other, 4)] { try await listener.count(count) }
      #expect(first.messages == ["1 one", "1 two", "1 one"] && first.etags == [one, two, one])
      #expect(knowing.messages == ["2 two", "2 two", "2 one"])
    }
  }

  @Test func `gives who comes during an execution the result of the next one`() async throws {
    let stage = Stage()
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch([], [])
        return Self.result("\(await stage.turn("a"))")
      }
    ) { queries in
      let (first, second) = (LiveQueryListener(), LiveQueryListener())
      _ = queries.join(Self.key("a"), .nobody, first, request: "1", etag: nil)
      await stage.until { $0.begun.count == 1 }
      _ = queries.join(Self.key("a"), .nobody, second, request: "2", etag: nil)
      stage.allow(1)
      try await first.count(1)
      await stage.until { $0.begun.count == 2 }
      #expect(first.messages == ["1 1"] && second.messages == [])
      stage.allow(2)
      try await first.count(2)
      try await second.count(1)
      #expect(first.messages == ["1 1", "1 2"] && second.messages == ["2 2"])
    }
  }

  @Test func `tells nobody the late result of a subscription that was left`() async throws {
    let stage = Stage()
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch(["row"], [])
        let number = await stage.turn("a")
        // As if the rows were known only now.
        watch(["row", "\(number)"], [])
        return Self.result("\(number)")
      }
    ) { queries in
      let (gone, there) = (LiveQueryListener(), LiveQueryListener())
      let number = queries.join(Self.key("a"), .nobody, gone, request: "1", etag: nil)
      await stage.until { $0.begun.count == 1 }
      queries.leave(Self.key("a"), number)
      #expect(queries.count == 0 && queries.subscriberCount == 0)
      let next = queries.join(Self.key("a"), .nobody, there, request: "2", etag: nil)
      await stage.until { $0.begun.count == 2 }
      // To leave again is to leave nothing, also where another has the key.
      queries.leave(Self.key("a"), number)
      #expect(queries.count == 1 && queries.subscriberCount == 1)
      stage.allow(2)
      try await there.count(1)
      queries.written(["row"])
      stage.allow(3)
      try await there.count(2)
      #expect(there.messages == ["2 2", "2 3"] && gone.messages == [])
      queries.leave(Self.key("a"), next)
      queries.leave(Self.key("a"), next)
      #expect(queries.count == 0)
    }
  }

  @Test func `ends nobody who came later by the failure of an execution that was left`() async throws {
    let stage = Stage()
    try await LiveQueries.running(
      2,
      { query, watch throws(RequestFailure) in
        watch([], [])
        let number = await stage.turn(query.key.operation)
        if number == 1 { throw RequestFailure(.permissionDenied, "No.") }
        return Self.result("\(number)")
      }
    ) { queries in
      let (gone, there) = (LiveQueryListener(), LiveQueryListener())
      let number = queries.join(Self.key("a"), .nobody, gone, request: "1", etag: nil)
      await stage.until { $0.begun.count == 1 }
      queries.leave(Self.key("a"), number)
      _ = queries.join(Self.key("a"), .nobody, there, request: "2", etag: nil)
      await stage.until { $0.begun.count == 2 }
      // This one has room when the first has ended.
      _ = queries.join(Self.key("b"), .nobody, there, request: "3", etag: nil)
      stage.allow(1)
      await stage.until { $0.begun.count == 3 }
      #expect(queries.count == 2 && there.ended.withLock { $0 } == [])
      stage.allow(3)
      try await there.count(2)
      #expect(Set(there.messages) == ["2 2", "3 3"] && there.ended.withLock { $0 } == [])
      #expect(gone.messages == [] && gone.ended.withLock { $0 } == [])
    }
  }

  @Test func `comes after those that waited before it`() async throws {
    let stage = Stage()
    try await LiveQueries.running(
      1,
      { query, watch throws(RequestFailure) in
        watch([query.key.operation], [])
        return Self.result("\(await stage.turn(query.key.operation))")
      }
    ) { queries in
      let listener = LiveQueryListener()
      for name in ["a", "b", "c"] {
        _ = queries.join(Self.key(name), .nobody, listener, request: name, etag: nil)
        await stage.until { $0.begun.count == 1 }
      }
      queries.written(["a"])
      queries.written(["nothing"])
      stage.allow(4)
      try await listener.count(4)
      #expect(stage.begun == ["a", "b", "c", "a"] && stage.most == 1)
      #expect(listener.messages == ["a 1", "b 2", "c 3", "a 4"])
    }
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (3, 3)])
  func `runs beside as many others as may run at one time`(wanted: Int, most: Int) async throws {
    let stage = Stage()
    try await LiveQueries.running(
      wanted,
      { query, watch throws(RequestFailure) in
        watch([], [])
        return Self.result("\(await stage.turn(query.key.operation))")
      }
    ) { queries in
      let listener = LiveQueryListener()
      for number in 0..<6 { _ = queries.join(Self.key("\(number)"), .nobody, listener, request: "r", etag: nil) }
      await stage.until { $0.begun.count == most }
      // One too many would begin now.
      for _ in 0..<200 { await Task.yield() }
      #expect(stage.begun.count == most)
      stage.allow(6)
      try await listener.count(6)
      #expect(stage.most == most && Set(stage.begun).count == 6)
    }
  }

  @Test func `is tried again after what passes, and ends with everything else`() async throws {
    let passing: Set<FailureCode> = [.unavailable, .deadlineExceeded, .resourceExhausted, .cancelled]
    let seen = Mutex<Set<String>>([])
    try await LiveQueries.running(
      20,
      { query, watch throws(RequestFailure) in
        watch([], [])
        let name = query.key.operation
        if seen.withLock({ $0.insert(name).inserted }), let code = FailureCode(rawValue: name) {
          throw RequestFailure(code, "Not now.")
        }
        return Self.result("later")
      }
    ) { queries in
      let (patient, ended) = (LiveQueryListener(), LiveQueryListener())
      for code in FailureCode.allCases {
        let listener = passing.contains(code) ? patient : ended
        _ = queries.join(Self.key(code.rawValue), .nobody, listener, request: code.rawValue, etag: nil)
      }
      let others = FailureCode.allCases.filter { !passing.contains($0) }.map(\.rawValue)
      try await ended.count(others.count)
      #expect(ended.ended.withLock { Set($0) } == Set(others.map { "\($0) \($0)" }) && ended.messages == [])
      try await patient.count(4)
      #expect(Set(patient.messages) == Set(passing.map { "\($0.rawValue) later" }))
      #expect(patient.ended.withLock { $0 } == [] && queries.count == 4)
      // Who comes again begins anew.
      let again = LiveQueryListener()
      _ = queries.join(Self.key(others[0]), .nobody, again, request: "again", etag: nil)
      try await again.count(1)
      #expect(again.messages == ["again later"] && queries.count == 5)
    }
  }

  @Test func `has one timer, that of the interval which it wants last`() throws {
    var state = LiveQueries.State()
    let id = state.id(of: Self.key("a"), .nobody)
    func timers(_ milliseconds: [Int]) -> [QueryTimer] {
      state.refresh(milliseconds.map { .every(milliseconds: $0) }, id)
      state.untimed += [id, id]
      return state.newTimers()
    }
    let first = try #require(timers([5]).first)
    #expect(first.query == id && first.interval == 5 && state.isWanted(first))
    #expect(timers([5]).isEmpty && timers([9, 5]).isEmpty && state.isWanted(first))
    #expect(state.untimed.isEmpty && state.newTimers().isEmpty)
    #expect(timers([]).isEmpty && !state.isWanted(first))
    // The first one sleeps still, and is not that of the same interval that comes now.
    let second = timers([5])
    #expect(second.map(\.interval) == [5] && second.map { state.isWanted($0) } == [true] && !state.isWanted(first))
    let third = timers([7])
    #expect(third.map(\.interval) == [7] && second.map { state.isWanted($0) } == [false])
    let fourth = timers([5])
    #expect(fourth.map(\.interval) == [5] && !state.isWanted(first) && second.map { state.isWanted($0) } == [false])
    _ = state.remove(id)
    #expect(fourth.map { state.isWanted($0) } == [false] && timers([5]).isEmpty)
  }
}
