import Testing
import Time

@testable import GroupStore

private let suite: SuiteID = "group.bounds"

/// What every backend promises, at its bounds and the second time round.
@Suite(.timeLimit(.minutes(1)))
struct `A group backend at its bounds` {
  private func expect<Value>(
    _ error: GroupStoreError, _ body: () async throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: error, sourceLocation: sourceLocation) { _ = try await body() }
  }

  @Test(arguments: Store.allCases)
  func `refuses a write of nothing as any other one, and for its lease first`(store: Store) async throws {
    try await store.run { backend, _ in
      _ = try await backend.apply(suite, [.set("a", [1]), .set("b", [1])])
      _ = try await backend.apply(suite, [.remove("a")])
      await expect(.conflict(key: "a", revision: 0)) {
        try await backend.apply(suite, [], require: [.revision("b", 1), .revision("a", 1), .absent("b")])
      }
      #expect(try await backend.apply(suite, [], require: [.absent("a"), .revision("c", 0)]) == 2)
      await expect(.conflict(key: "b", revision: 1)) {
        try await backend.apply(suite, [.removeAll], require: [.absent("b")])
      }
      let lease = try #require(try await backend.acquire("l", owner: "a", for: .seconds(10)))
      #expect(try await backend.apply(suite, [], require: [], fence: lease) == 2)
      for other in [
        Lease(name: "l", owner: "a", token: lease.token + 1), Lease(name: "l", owner: "a", token: lease.token - 1),
        Lease(name: "l", owner: "b", token: lease.token), Lease(name: "m", owner: "a", token: lease.token),
      ] {
        await expect(.fenced(lease: other.name)) {
          try await backend.apply(suite, [], require: [.absent("b")], fence: other)
        }
        await expect(.fenced(lease: other.name)) {
          try await backend.apply(suite, [.set("a", [2])], require: [], fence: other)
        }
      }
      await expect(.conflict(key: "b", revision: 1)) {
        try await backend.apply(suite, [], require: [.absent("b")], fence: lease)
      }
      try await backend.release(lease)
      await expect(.fenced(lease: "l")) {
        try await backend.apply(suite, [.set("a", [2])], require: [], fence: lease)
      }
      let state = try await backend.snapshot(suite)
      #expect(state == SuiteState(revision: 2, entries: ["b": Versioned(bytes: [1], revision: 1)]))
    }
  }

  @Test(arguments: Store.allCases)
  func `takes keys and values up to the last byte, however often they are written`(store: Store) async throws {
    var limits = BackendLimits()
    (limits.maxKeyBytes, limits.maxValueBytes, limits.maxSuiteBytes) = (4, 10, 20)
    func set(_ key: String, _ count: Int) -> Mutation { .set(key, [UInt8](repeating: 1, count: count)) }
    // The first key has two bytes. After each of these the suite has 20.
    let steps: [[[Mutation]]] = [
      [[set("é", 8), set("ab", 8)]], [[set("ab", 8)]], [[set("ab", 1)], [set("ab", 8)]],
      [[.remove("é")], [.remove("é"), .remove("no")], [set("é", 8)]], [[set("ab", 1), set("ab", 9), set("ab", 8)]],
      [[set("é", 1), .remove("é"), set("é", 8)]], [[.removeAll, set("é", 8), set("abcd", 6)]], [[.removeAll], []],
      [[.removeAll]], [[set("a", 9), set("b", 9)]],
    ]
    try await store.run(limits: limits) { (backend, _) async throws in
      var revision: Int64 = 0
      for (index, step) in steps.enumerated() {
        for changes in step {
          if !changes.isEmpty { revision += 1 }
          #expect(try await backend.apply(suite, changes) == revision)
        }
        if index == 7 || index == 8 {
          #expect(try await backend.snapshot(suite) == SuiteState(revision: revision))
          continue
        }
        await expect(.quota("The suite group.bounds would have 21 bytes; it may have 20.", limit: 20)) {
          try await backend.apply(suite, [set("c", 0)])
        }
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `knows its own changes from those of another store, at each revision`(store: Store) async throws {
    try await store.run { backend, _ in
      let id = try await backend.identity()
      let other = StoreID("another")
      _ = try await backend.apply(suite, [.set("a", [1])])
      _ = try await backend.apply(suite, [.set("b", [2])])
      let last = ChangeBatch.changed([Change(key: "b", bytes: [2], revision: 2)], through: 2)
      for (after, batch) in [
        (1, last), (2, .changed([], through: 2)), (3, .compacted(through: 2)),
      ] as [(Int64, ChangeBatch)] {
        for known in [nil, id] {
          #expect(try await backend.delta(suite, after: after, of: known) == SuiteDelta(batch, of: id))
        }
        let foreign = try await backend.delta(suite, after: after, of: other)
        #expect(foreign == SuiteDelta(.compacted(through: 2), of: id))
      }
      #expect(try await backend.delta("group.none", after: 1) == .compacted(through: 0))
    }
  }

  @Test(arguments: Store.allCases)
  func `remembers as many removals as it may, and none of what was set again`(store: Store) async throws {
    var limits = BackendLimits()
    limits.maxTombstones = 2
    func set(_ key: String, _ revision: Int64) -> Change { Change(key: key, bytes: [1], revision: revision) }
    func removed(_ key: String, _ revision: Int64) -> Change { Change(key: key, bytes: nil, revision: revision) }
    try await store.run(limits: limits) { backend, _ in
      func write(_ changes: Mutation...) async throws { _ = try await backend.apply(suite, changes) }
      try await write(.set("a", [1]), .set("b", [1]), .set("c", [1]), .set("d", [1]))
      try await write(.remove("a"))
      try await write(.remove("b"))
      let both = [set("c", 1), set("d", 1), removed("a", 2), removed("b", 3)]
      #expect(try await backend.delta(suite, after: 0) == .changed(both, through: 3))
      try await write(.set("a", [1]))
      try await write(.remove("c"))
      #expect(
        try await backend.delta(suite, after: 0)
          == .changed([set("d", 1), removed("b", 3), set("a", 4), removed("c", 5)], through: 5))
      // The third one takes the place of the first.
      try await write(.remove("d"))
      #expect(try await backend.delta(suite, after: 2) == .compacted(through: 6))
      #expect(
        try await backend.delta(suite, after: 3)
          == .changed([set("a", 4), removed("c", 5), removed("d", 6)], through: 6))
      try await write(.remove("a"))
      #expect(try await backend.delta(suite, after: 4) == .compacted(through: 7))
      #expect(
        try await backend.delta(suite, after: 5) == .changed([removed("d", 6), removed("a", 7)], through: 7))
      // Of those that go together it forgets all.
      try await write(.set("x", [1]), .set("y", [1]), .set("z", [1]))
      try await write(.removeAll)
      #expect(try await backend.delta(suite, after: 8) == .compacted(through: 9))
      #expect(try await backend.delta(suite, after: 9) == .changed([], through: 9))
      #expect(try await backend.snapshot(suite) == SuiteState(revision: 9))
    }
  }

  @Test(arguments: Store.allCases)
  func `tells a watcher that a suite was emptied, and again when it goes back`(store: Store) async throws {
    try await store.run { backend, _ in
      let removed = ["a", "b"].map { Change(key: $0, bytes: nil, revision: 2) }
      let last = Change(key: "c", bytes: [3], revision: 3)
      _ = try await backend.apply(suite, [.set("b", [1]), .set("a", [1])])
      let watcher = backend.watch(suite, after: 0, of: nil)
      let first = ["a", "b"].map { Change(key: $0, bytes: [1], revision: 1) }
      #expect(try await watcher.next() == .changed(first, through: 1))
      _ = try await backend.apply(suite, [.removeAll])
      for _ in 0..<2 {
        #expect(try await watcher.next() == .changed(removed, through: 2))
        watcher.goBack(to: 1)
      }
      #expect(try await watcher.next() == .changed(removed, through: 2))
      _ = try await backend.apply(suite, [.set("c", [3])])
      #expect(try await watcher.next() == .changed([last], through: 3))
      watcher.goBack(to: 0)
      #expect(try await watcher.next() == .changed(removed + [last], through: 3))
    }
  }

  @Test func `has in memory what it begins with, and counts it`() async throws {
    var limits = BackendLimits()
    limits.maxSuiteBytes = 5
    let backend = InMemoryGroupBackend([suite: ["é": [1]]], limits: limits)
    #expect(
      try await backend.snapshot(suite)
        == SuiteState(revision: 1, entries: ["é": Versioned(bytes: [1], revision: 1)]))
    #expect(try await backend.loudRevision(suite) == 1)
    #expect(try await backend.apply(suite, [.set("b", [2])]) == 2)
    await expect(.quota("The suite group.bounds would have 6 bytes; it may have 5.", limit: 5)) {
      try await backend.apply(suite, [.set("b", [2, 3])])
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A lease of a group backend at its bounds` {
  @Test(arguments: Store.allCases)
  func `is renewed and given back by its holder alone, and once`(store: Store) async throws {
    try await store.run { backend, clock in
      let lease = try #require(try await backend.acquire("l", owner: "a", for: .seconds(10)))
      #expect(lease == Lease(name: "l", owner: "a", token: 1))
      for other in [
        Lease(name: "l", owner: "a", token: 0), Lease(name: "l", owner: "a", token: 2),
        Lease(name: "l", owner: "b", token: 1), Lease(name: "m", owner: "a", token: 1),
      ] {
        #expect(try await !backend.renew(other, for: .seconds(100)))
        try await backend.release(other)
        #expect(try await backend.holder(of: "l").lease == lease)
      }
      // Of another name it is another one.
      #expect(try await backend.acquire("m", owner: "b", for: .seconds(10))?.token == 1)
      try await clock.advance(by: .seconds(10))
      #expect(try await backend.holder(of: "l").lease == nil)
      #expect(try await !backend.renew(lease, for: .seconds(100)))
      try await backend.release(lease)
      let next = try #require(try await backend.acquire("l", owner: "b", for: .seconds(10)))
      #expect(next.token == 2)
      for _ in 0..<2 {
        try await backend.release(next)
        #expect(try await !backend.renew(next, for: .seconds(100)))
      }
      let last = try #require(try await backend.acquire("l", owner: "b", for: .seconds(10)))
      #expect(last.token == 3)
      try await backend.release(next)
      #expect(try await backend.holder(of: "l").lease == last)
      #expect(try await backend.renew(last, for: .seconds(20)))
      try await clock.advance(by: .seconds(19))
      #expect(try await backend.holder(of: "l").lease == last)
    }
  }

  @Test(arguments: Store.allCases)
  func `lasts no time or for ever, as it is asked for`(store: Store) async throws {
    try await store.run { backend, clock in
      for (token, duration) in [(1, .zero), (2, .seconds(-5))] as [(Int64, Duration)] {
        #expect(try await backend.acquire("l", owner: "a", for: duration)?.token == token)
        #expect(try await backend.holder(of: "l").lease == nil)
      }
      let lease = try #require(try await backend.acquire("l", owner: "b", for: .seconds(Int64.max)))
      try await clock.advance(by: .seconds(1_000_000_000))
      #expect(try await backend.acquire("l", owner: "a", for: .seconds(1)) == nil)
      #expect(try await backend.renew(lease, for: .seconds(Int64.max)))
      try await clock.advance(by: .seconds(1_000_000_000))
      #expect(try await backend.holder(of: "l").lease == lease)
    }
  }
}
