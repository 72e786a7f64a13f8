import Testing
import Time

@testable import GroupStore

private let suite: SuiteID = "group.a"

/// What every backend promises. A new backend is one more case of ``Store``.
@Suite(.timeLimit(.minutes(1)))
struct `A group backend` {
  @Test(arguments: Store.allCases)
  func `begins at revision 0, counts each write, and keeps suites apart`(store: Store) async throws {
    try await store.run { backend, _ in
      let nothing = try await backend.snapshot(suite)
      #expect(nothing == SuiteState())
      #expect(try await backend.get(suite, "a") == nil)
      #expect(try await backend.apply(suite, [.set("a", [1]), .set("b", [])]) == 1)
      #expect(try await backend.apply(suite, [.remove("a"), .remove("never")]) == 2)
      #expect(try await backend.apply("group.b", [.set("a", [9])]) == 1)
      #expect(
        try await backend.snapshot(suite)
          == SuiteState(revision: 2, entries: ["b": Versioned(bytes: [], revision: 1)]))
      #expect(try await backend.get("group.b", "a") == Versioned(bytes: [9], revision: 1))
      #expect(try await backend.apply(suite, []) == 2)
      #expect(try await backend.apply(suite, [.set("c", [3]), .removeAll, .set("d", [4])]) == 3)
      #expect(try await backend.snapshot(suite).entries == ["d": Versioned(bytes: [4], revision: 3)])
    }
  }

  @Test(arguments: Store.allCases)
  func `tells keys apart by their bytes`(store: Store) async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try await store.run { backend, _ in
      let first = try await backend.apply(suite, [.set(composed, [1]), .set(decomposed, [2])])
      #expect(first == 1)
      #expect(try await backend.get(suite, composed) == Versioned(bytes: [1], revision: 1))
      #expect(try await backend.get(suite, decomposed) == Versioned(bytes: [2], revision: 1))
      let second = try await backend.apply(suite, [.remove(decomposed)], require: [.revision(composed, 1)])
      #expect(second == 2)
      #expect(try await backend.get(suite, composed) == Versioned(bytes: [1], revision: 1))
      #expect(try await backend.get(suite, decomposed) == nil)
    }
  }

  @Test(arguments: Store.allCases)
  func `writes when every condition holds, else nothing`(store: Store) async throws {
    try await store.run { backend, _ in
      let first = try await backend.apply(suite, [.set("a", [1])], require: [.absent("a"), .revision("b", 0)])
      #expect(first == 1)
      let caught = await #expect(throws: GroupStoreError.self) {
        _ = try await backend.apply(
          suite, [.set("b", [2]), .set("a", [2])], require: [.absent("b"), .revision("a", 7)])
      }
      #expect(caught == .conflict(key: "a", revision: 1))
      #expect(try await backend.snapshot(suite).revision == 1)
      #expect(try await backend.apply(suite, [.remove("a")], require: [.revision("a", 1)]) == 2)
      #expect(try await backend.apply(suite, [.set("a", [3])], require: [.absent("a")]) == 3)
      #expect(try await backend.apply(suite, [], require: [.revision("a", 3)]) == 3)
    }
  }

  @Test(arguments: Store.allCases)
  func `refuses what is over a limit, and the rest of that write with it`(store: Store) async throws {
    var limits = BackendLimits()
    (limits.maxKeyBytes, limits.maxValueBytes, limits.maxSuiteBytes) = (4, 10, 30)
    try await store.run(limits: limits) { backend, _ in
      let ten = [UInt8](repeating: 1, count: 10)
      _ = try await backend.apply(suite, [.set("a", ten), .set("b", ten)])
      let refused: [[Mutation]] = [
        [.set("c", [1]), .set("", [])], [.set("c", [1]), .set("abcde", [])], [.set("c", ten + [1])],
        [.set("c", ten)], [.set("c", [1]), .set("d", ten)],
      ]
      for changes in refused {
        let caught = await #expect(throws: GroupStoreError.self) { _ = try await backend.apply(suite, changes) }
        guard case .quota(let message, _)? = caught else {
          Issue.record("\(changes): \(String(describing: caught))")
          continue
        }
        #expect(message.hasSuffix("."))
      }
      #expect(try await backend.snapshot(suite).revision == 1)
      #expect(try await backend.apply(suite, [.set("c", ten), .remove("a")]) == 2)
      #expect(try await backend.apply(suite, [.set("abcd", [UInt8](repeating: 2, count: 4))]) == 3)
      #expect(try await backend.apply(suite, [.set("abcd", [])]) == 4)
    }
  }

  @Test(arguments: Store.allCases)
  func `tells what was written after a revision, each key once, in order`(store: Store) async throws {
    try await store.run { backend, _ in
      _ = try await backend.apply(suite, [.set("a", [1]), .set("b", [1])])
      _ = try await backend.apply(suite, [.set("c", [2])])
      _ = try await backend.apply(suite, [.set("a", [3]), .remove("b")])
      let all = try await backend.delta(suite, after: 0)
      #expect(
        all
          == .changed(
            [
              Change(key: "c", bytes: [2], revision: 2), Change(key: "a", bytes: [3], revision: 3),
              Change(key: "b", bytes: nil, revision: 3),
            ], through: 3))
      #expect(try await backend.delta(suite, after: 3) == .changed([], through: 3))
      #expect(try await backend.delta("group.none", after: 0) == .changed([], through: 0))
    }
  }

  @Test(arguments: Store.allCases)
  func `says so when it has forgotten what was removed`(store: Store) async throws {
    var limits = BackendLimits()
    limits.maxTombstones = 2
    try await store.run(limits: limits) { backend, _ in
      for key in ["a", "b", "c"] { _ = try await backend.apply(suite, [.set(key, [1])]) }
      for key in ["a", "b", "c"] { _ = try await backend.apply(suite, [.remove(key)]) }
      #expect(try await backend.delta(suite, after: 3) == .compacted(through: 6))
      #expect(
        try await backend.delta(suite, after: 4)
          == .changed(
            [Change(key: "b", bytes: nil, revision: 5), Change(key: "c", bytes: nil, revision: 6)], through: 6))
      var batches = backend.changes(suite, after: 0).makeAsyncIterator()
      let first = try await batches.next()
      #expect(first == .compacted(through: 6))
    }
  }

  @Test(arguments: Store.allCases)
  func `streams every revision, in order, to watchers that come and go`(store: Store) async throws {
    try await store.run { backend, _ in
      _ = try await backend.apply(suite, [.set("before", [0])])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            var (revision, last): (Int64, [UInt8]?) = (1, nil)
            for try await batch in backend.changes(suite, after: 1) {
              guard case .changed(let changes, let through) = batch else {
                Issue.record("\(batch)")
                return
              }
              #expect(through > revision && changes.allSatisfy { $0.revision > revision && $0.revision <= through })
              #expect(changes.map(\.revision) == changes.map(\.revision).sorted())
              revision = through
              last = changes.last(where: { $0.key == "count" })?.bytes ?? last
              if through == 41 { break }
            }
            #expect(revision == 41)
            #expect(last == [40])
          }
        }
        for count in 1...40 { _ = try await backend.apply(suite, [.set("count", [UInt8(count)])]) }
        try await group.waitForAll()
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `ends a watcher with its task`(store: Store) async throws {
    try await store.run { backend, _ in
      await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for try await _ in backend.changes(suite, after: 0) {} }
        group.cancelAll()
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `loses no update of many writers`(store: Store) async throws {
    try await store.run { backend, _ in
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for writer in 0..<3 {
          writers.addTask {
            for key in 0..<200 { _ = try await backend.apply(suite, [.set("\(writer).\(key)", [UInt8(key)])]) }
          }
        }
        try await writers.waitForAll()
      }
      let state = try await backend.snapshot(suite)
      #expect(state.revision == 600)
      #expect(state.entries.count == 600)
      #expect(Set(state.entries.values.map(\.revision)).count == 600)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A lease of a group backend` {
  @Test(arguments: Store.allCases)
  func `belongs to one owner until its time has passed, and its token grows`(store: Store) async throws {
    try await store.run { backend, clock in
      let first = try #require(try await backend.acquire("l", owner: "a", for: .seconds(10)))
      #expect(try await backend.acquire("l", owner: "b", for: .seconds(10)) == nil)
      try await clock.advance(by: .seconds(6))
      #expect(try await backend.renew(first, for: .seconds(10)))
      try await clock.advance(by: .seconds(6))
      #expect(try await backend.acquire("l", owner: "b", for: .seconds(10)) == nil)
      try await clock.advance(by: .seconds(6))
      let second = try #require(try await backend.acquire("l", owner: "b", for: .seconds(10)))
      #expect(second.token > first.token)
      #expect(try await backend.renew(first, for: .seconds(10)) == false)
      try await backend.release(first)
      #expect(try await backend.acquire("l", owner: "a", for: .seconds(1)) == nil)
      try await backend.release(second)
      let third = try #require(try await backend.acquire("l", owner: "a", for: .seconds(1)))
      #expect(third.token > second.token)
      let again = try #require(try await backend.acquire("l", owner: "a", for: .seconds(1)))
      #expect(again.token > third.token)
    }
  }

  @Test(arguments: Store.allCases)
  func `is known to everybody, with its holder, as long as it is held`(store: Store) async throws {
    try await store.run { backend, clock in
      let identity = try await backend.identity()
      #expect(try await backend.holder(of: "l") == LeaseHolder(nil, in: identity))
      let lease = try #require(try await backend.acquire("l", owner: "a", for: .seconds(10)))
      #expect(try await backend.holder(of: "l") == LeaseHolder(lease, in: identity))
      #expect(try await backend.holder(of: "m").lease == nil)
      try await clock.advance(by: .seconds(10))
      #expect(try await backend.holder(of: "l").lease == nil)
      let next = try #require(try await backend.acquire("l", owner: "b", for: .seconds(10)))
      try await backend.release(next)
      #expect(try await backend.holder(of: "l").lease == nil)
    }
  }

  @Test(arguments: Store.allCases)
  func `guards a write, which a stale token does not do`(store: Store) async throws {
    try await store.run { backend, clock in
      let lease = try #require(try await backend.acquire("l", owner: "a", for: .seconds(10)))
      #expect(try await backend.apply(suite, [.set("a", [1])], require: [], fence: lease) == 1)
      try await clock.advance(by: .seconds(11))
      let caught = await #expect(throws: GroupStoreError.self) {
        _ = try await backend.apply(suite, [.set("a", [2])], require: [], fence: lease)
      }
      #expect(caught == .fenced(lease: "l"))
      let newer = try #require(try await backend.acquire("l", owner: "b", for: .seconds(10)))
      await #expect(throws: GroupStoreError.self) {
        _ = try await backend.apply(suite, [.set("a", [2])], require: [], fence: lease)
      }
      #expect(try await backend.apply(suite, [.set("a", [3])], require: [], fence: newer) == 2)
    }
  }

  @Test func `of another start of the machine has ended`() {
    let clock = BootClock(boot: "now") { 5 }
    let old = LeaseTerm(owner: "a", token: 3, boot: "before", end: .max)
    #expect(!old.isHeld(clock))
    #expect(LeaseTerm.taking(over: old, for: "b", .seconds(1), clock)?.token == 4)
  }
}
