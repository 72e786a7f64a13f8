import EventLoop
import PostgreSQL
import Synchronization
import Testing
import Time

@testable import GroupStore
@testable import PostgreSQLGroupStore

private let suite: SuiteID = "group.recent"

@Suite(.timeLimit(.minutes(1)))
struct `The writes that a process remembers` {
  private let recent = RecentChanges()

  private func write(_ revision: Int64, _ key: String = "k", bytes: Int? = 1) {
    let change = Change(key: key, bytes: bytes.map { [UInt8](repeating: 1, count: $0) }, revision: revision)
    recent.add([change], to: suite, revision: revision)
  }

  /// What a watcher does next: the revision that it comes to, "ask" or "wait".
  private func look(_ revision: Int64, seen: RecentChanges.Generation? = RecentChanges.Generation()) -> String {
    switch recent.look(suite, after: revision, seen: seen) {
    case .take(let batch): "\(batch.through)"
    case .ask: "ask"
    case .wait: "wait"
    }
  }

  @Test func `are taken in their order up to the first that is missing`() {
    #expect(look(0) == "ask", "nobody watches")
    _ = recent.addWatcher(of: suite)
    #expect(look(0) == "wait")
    for revision in [1, 2, 4] as [Int64] { write(revision) }
    #expect(look(0) == "2" && look(1) == "2" && look(2) == "ask" && look(3) == "4" && look(4) == "wait")
    write(3, "late")
    #expect(look(0) == "2" && look(2) == "ask")
  }

  @Test func `are 64, and the oldest goes for the next`() {
    _ = recent.addWatcher(of: suite)
    for revision in 1...64 as ClosedRange<Int64> { write(revision) }
    #expect(look(0) == "64")
    write(65)
    #expect(look(0) == "ask" && look(1) == "65")
  }

  @Test(arguments: [false, true]) func `have 512 KiB with their keys, also after another store came`(isOther: Bool) {
    _ = recent.addWatcher(of: suite)
    let half = 256 << 10
    if isOther {
      write(1, bytes: half)
      recent.addReplacement()
      #expect(look(0) == "ask", "of the store before")
    }
    let seen = recent.generation
    #expect(look(0, seen: seen) == "wait")
    // The key has two bytes.
    write(1, "é", bytes: half - 2)
    write(2, "é", bytes: half - 2)
    write(3, "é", bytes: nil)
    #expect(look(0, seen: seen) == "ask" && look(1, seen: seen) == "3")
    write(4, "é", bytes: half - 4)
    #expect(look(1, seen: seen) == "4")
    write(5, "a", bytes: 0)
    #expect(look(1, seen: seen) == "ask" && look(2, seen: seen) == "5")
  }

  @Test func `are there for the last watcher, and gone with it`() {
    let signals = [recent.addWatcher(of: suite), recent.addWatcher(of: suite)]
    #expect(signals[0] === signals[1])
    write(1)
    recent.removeWatcher(of: suite)
    #expect(look(0) == "1")
    recent.removeWatcher(of: suite)
    recent.removeWatcher(of: suite)
    #expect(look(0) == "ask")
    _ = recent.addWatcher(of: suite)
    #expect(look(0) == "wait")
  }

  @Test func `are there as long as a watcher is`() {
    let backend = InMemoryGroupBackend()
    var watchers = (0..<2).map { SuiteWatcher(backend, suite, after: Int64($0), of: nil, recent) }
    write(1)
    watchers.removeLast()
    #expect(look(0) == "1" && watchers.count == 1)
    watchers.removeLast()
    #expect(look(0) == "ask")
  }

  @Test func `say nothing of what others may have written`() {
    let signal = recent.addWatcher(of: suite)
    let other = recent.addWatcher(of: "group.other")
    #expect(look(0, seen: nil) == "ask", "who has not asked yet")
    recent.addForeign()
    #expect(signal.count == 1 && other.count == 1)
    #expect(look(0) == "ask")
    // But what is there is taken.
    write(1)
    recent.wakeWatchers(of: suite)
    #expect(signal.count == 2 && other.count == 1)
    #expect(look(0) == "1" && look(1) == "ask" && look(1, seen: recent.generation) == "wait")
    for count in 1...2 as ClosedRange<UInt64> {
      recent.addReplacement()
      #expect(signal.count == 2 + count && recent.generation.replaced == count && recent.generation.foreign == 1)
      #expect(look(0) == "ask" && look(0, seen: recent.generation) == "wait")
    }
  }

  @Test func `come as the last of each key`() {
    func change(_ key: String, _ revision: Int64) -> Change { Change(key: key, bytes: nil, revision: revision) }
    let changes = [change("a", 1), change("b", 2), change("a", 3), change("c", 4), change("b", 5)]
    #expect(RecentChanges.merged(changes) == [change("a", 3), change("c", 4), change("b", 5)])
    #expect(RecentChanges.merged([]).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `What a process knows of a store in PostgreSQL` {
  @Test func `is its identity, and each time that it is another one`() {
    let recent = RecentChanges()
    let setup = StoreSetup(StoreSchema("s"), timeout: .seconds(1), recent)
    var replaced: [UInt64] = []
    for id in ["a", "a", "b", "b", "a", "c"] {
      setup.note(StoreID(id))
      replaced.append(recent.generation.replaced)
    }
    #expect(replaced == [0, 0, 1, 1, 2, 3])
  }

  @Test func `is under which names it writes, each with a number that grows`() {
    let writers = Writers()
    let (first, second) = (writers.take(), writers.take())
    #expect(first.id != second.id && first.id.count == 16 && first.number == 1 && second.number == 1)
    writers.giveBack(first)
    let again = writers.take()
    #expect(again.id == first.id && again.number == 2)
    writers.giveBack(again)
    writers.giveBack(second)
    #expect(writers.take().id == second.id && writers.take().number == 3)
    let name = first.id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(writers.isOwn(name) && writers.isOwn(name + " group.a") && !writers.isOwn(name + "0"))
    #expect(!writers.isOwn("") && !writers.isOwn(String(name.dropLast())))
  }
}

/// A store that may be out of reach, and says what it is asked for.
private final class DistantBackend: GroupBackend {
  enum Mode { case here, away, silent }

  static let failure = GroupStoreError.unavailable("It is away.", recovery: "Wait.", isRetryable: true)
  private let near = InMemoryGroupBackend()
  private let mode = Mutex(Mode.here)
  let asked = Mutex<[String]>([])
  var limits: BackendLimits { near.limits }

  func becomes(_ now: Mode) { mode.withLock { $0 = now } }

  func delta(_ suite: SuiteID, after revision: Int64, of store: StoreID?) async throws -> SuiteDelta {
    asked.withLock { $0.append("\(revision) \(store == nil)") }
    let mode = mode.withLock { $0 }
    if mode == .here { return try await near.delta(suite, after: revision, of: store) }
    while mode == .silent, !Task.isCancelled { await Task.yield() }
    throw Self.failure
  }

  func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws -> Int64 {
    try await near.apply(suite, changes, require: require, fence: fence, quietly: quietly)
  }

  func get(_ suite: SuiteID, _ key: String) async throws -> Versioned? { try await near.get(suite, key) }
  func snapshot(_ suite: SuiteID) async throws -> SuiteState { try await near.snapshot(suite) }
  func loudRevision(_ suite: SuiteID) async throws -> Int64 { try await near.loudRevision(suite) }
  func identity() async throws -> StoreID { try await near.identity() }
  func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    near.watch(suite, after: revision, of: store)
  }
  func acquire(_ name: String, owner: OwnerID, for duration: Duration) async throws -> Lease? {
    try await near.acquire(name, owner: owner, for: duration)
  }
  func holder(of name: String) async throws -> LeaseHolder { try await near.holder(of: name) }
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool { try await near.renew(lease, for: duration) }
  func release(_ lease: Lease) async throws { try await near.release(lease) }
}

@Suite(.timeLimit(.minutes(1)))
struct `A watcher of a store that may be out of reach` {
  @Test func `goes on where it stopped, and ends with its task while it waits for an answer`() async throws {
    let (backend, recent) = (DistantBackend(), RecentChanges())
    let watcher = SuiteWatcher(backend, suite, after: 0, of: nil, recent)
    _ = try await backend.apply(suite, [.set("a", [1])])
    backend.becomes(.away)
    for _ in 0..<2 { await #expect(throws: DistantBackend.failure) { try await watcher.next() } }
    backend.becomes(.here)
    #expect(try await watcher.next() == .changed([Change(key: "a", bytes: [1], revision: 1)], through: 1))
    _ = try await backend.apply(suite, [.set("b", [2])])
    recent.addForeign()
    backend.becomes(.away)
    await #expect(throws: DistantBackend.failure) { try await watcher.next() }
    backend.becomes(.here)
    #expect(try await watcher.next() == .changed([Change(key: "b", bytes: [2], revision: 2)], through: 2))
    #expect(backend.asked.withLock { $0 } == ["0 true", "0 true", "0 true", "1 false", "1 false"])
    recent.addForeign()
    backend.becomes(.silent)
    let waiting = Task { try await watcher.next() }
    while backend.asked.withLock({ $0.count }) < 6, !Task.isCancelled { await Task.yield() }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    backend.becomes(.here)
    _ = try await backend.apply(suite, [.remove("a")])
    #expect(try await watcher.next() == .changed([Change(key: "a", bytes: nil, revision: 3)], through: 3))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `What a store is made with` {
  @Test func `is this unless something else is said`() throws {
    let file = SQLiteGroupBackend.Options(path: "a")
    #expect(file.durability == .normal && file.timeout == .seconds(5) && file.pollInterval == .seconds(1))
    #expect(file.maximumPageCount == 65_536 && file.limits == BackendLimits())
    let server = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget("postgresql://a@b/c"))
    #expect(server.schema == "annex" && server.timeout == .seconds(10) && server.pollInterval == .seconds(1))
    #expect(server.maximumConnections == 4 && server.limits == BackendLimits())
    let limits = BackendLimits()
    #expect(limits.maxKeyBytes == 1_024 && limits.maxValueBytes == 256 << 10 && limits.maxSuiteBytes == 1 << 20)
    #expect(limits.maxTombstones == 256 && limits.watch == .push)
  }

  @Test func `is named in the provider that a host gets`() throws {
    for (schema, expected) in [(nil, "annex"), ("other", "other")] as [(String?, String)] {
      let url = "postgresql://a@b/c"
      let provider = try schema.map { try GroupStoreProvider.postgreSQL(url, schema: $0) } ?? .postgreSQL(url)
      #expect((provider.backend as? PostgreSQLGroupBackend)?.options.schema == expected)
    }
  }
}

/// The parts of every store that need none.
@Suite(.timeLimit(.minutes(1)))
struct `A write to a store` {
  @Test(arguments: [(0, false), (1, true), (1_024, true), (1_025, false)])
  func `has a key of 1 to 1,024 bytes`(bytes: Int, isAllowed: Bool) {
    let key = String(repeating: "é", count: bytes / 2) + (bytes % 2 == 1 ? "a" : "")
    #expect(key.utf8.count == bytes)
    let error = { try BackendLimits().check(.set(key, [1]), in: suite) }
    if isAllowed {
      #expect(throws: Never.self) { try error() }
    } else {
      #expect(throws: GroupStoreError.self) { try error() }
    }
    // What is removed takes no room.
    #expect(throws: Never.self) { try BackendLimits().check(.remove(key), in: suite) }
  }

  @Test func `has a value of 256 KiB, and a suite of a MiB that may shrink`() {
    let limits = BackendLimits()
    let most = [UInt8](repeating: 0, count: 256 << 10)
    #expect(throws: Never.self) { try limits.check(.set("k", most), in: suite) }
    #expect(throws: GroupStoreError.self) { try limits.check(.set("k", most + [0]), in: suite) }
    #expect(throws: Never.self) { try limits.check(bytes: 1 << 20, grownBy: 1, in: suite) }
    #expect(throws: GroupStoreError.self) { try limits.check(bytes: (1 << 20) + 1, grownBy: 1, in: suite) }
    for growth in [0, -1] {
      #expect(throws: Never.self) { try limits.check(bytes: (1 << 20) + 1, grownBy: growth, in: suite) }
    }
  }

  @Test func `is what is left of its steps, each key once`() {
    let plan = WritePlan([.set("a", [1]), .set("b", [2]), .remove("a"), .set("b", [3]), .remove("c")])
    #expect(!plan.clears && plan.keys == ["a", "b", "c"] && plan.values == [nil, [3], nil])
    #expect(plan.changes(at: 9).map(\.revision) == [9, 9, 9] && plan.changes(at: 9).map(\.bytes) == [nil, [3], nil])
    let cleared = WritePlan([.set("a", [1]), .removeAll, .set("b", [2]), .set("a", [4]), .remove("b")])
    #expect(cleared.clears && cleared.keys == ["a", "b"] && cleared.values == [[4], nil])
    let twice = WritePlan([.set("a", [1]), .removeAll, .removeAll])
    #expect(twice.clears && twice.keys == ["a"] && twice.values == [nil])
    #expect(WritePlan([]).keys.isEmpty && !WritePlan([]).clears)
  }

  @Test func `tells keys apart by their bytes`() {
    let plan = WritePlan([.set("\u{E9}", [1]), .set("e\u{301}", [2])])
    #expect(plan.keys.count == 2 && plan.values == [[1], [2]])
    #expect(RecentChanges.merged(plan.changes(at: 1)).map(\.bytes) == [[1], [2]])
  }

  @Test func `waits behind those that came before, and goes with as many as fit`() {
    let queue = WriteQueue()
    let writes = (0..<5).map { GroupWrite(suite, [.remove("\($0)")], [], nil, isQuiet: false) }
    #expect(queue.take(atMost: 3).isEmpty)
    for write in writes { queue.append(write) }
    #expect(queue.take(atMost: 3).map(\.changes) == writes[..<3].map(\.changes))
    #expect(queue.take(atMost: 3).map(\.changes) == writes[3...].map(\.changes) && queue.take(atMost: 3).isEmpty)
    #expect(writes[0].outcome == nil)
    writes[0].end(.success(4))
    #expect((try? writes[0].outcome?.get()) == 4)
  }

  @Test func `of a store is none of another one's`() {
    let delta = SuiteDelta(.changed([], through: 7), of: StoreID("a"))
    #expect(delta.comparedWith(nil) == delta && delta.comparedWith(StoreID("a")) == delta)
    #expect(delta.comparedWith(StoreID("b")) == SuiteDelta(.compacted(through: 7), of: StoreID("a")))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The term of a lease` {
  private let manual = ManualClock()

  @Test func `is held up to its end, by its owner and with its number`() async throws {
    let clock = manual.clock
    let first = try #require(LeaseTerm.taking(over: nil, for: "one", .seconds(10), clock))
    #expect(first.token == 1 && first.isHeld(clock))
    let lease = Lease(name: "n", owner: "one", token: 1)
    #expect(first.lease(named: "n", clock) == lease && first.isHeld(by: lease, clock))
    for other in [Lease(name: "n", owner: "two", token: 1), Lease(name: "n", owner: "one", token: 2)] {
      #expect(!first.isHeld(by: other, clock))
    }
    #expect(LeaseTerm.taking(over: first, for: "two", .seconds(10), clock) == nil)
    // Who has it may take it again, and it is another one then.
    let again = try #require(LeaseTerm.taking(over: first, for: "one", .seconds(10), clock))
    #expect(again.token == 2 && !again.isHeld(by: lease, clock))
    manual.advance(by: .seconds(10))
    #expect(!first.isHeld(clock) && first.lease(named: "n", clock) == nil && !first.isHeld(by: lease, clock))
    #expect(LeaseTerm.taking(over: first, for: "two", .seconds(10), clock)?.token == 2)
  }

  @Test func `has ended at its last nanosecond, with its owner, and with the machine`() {
    let clock = manual.clock
    let now = clock.now()
    #expect(!LeaseTerm(owner: "a", token: 1, boot: "this", end: now).isHeld(clock))
    #expect(LeaseTerm(owner: "a", token: 1, boot: "this", end: now + 1).isHeld(clock))
    #expect(!LeaseTerm(owner: nil, token: 1, boot: "this", end: now + 1).isHeld(clock))
    #expect(!LeaseTerm(owner: "a", token: 1, boot: "that", end: now + 1).isHeld(clock))
    // The number goes on whatever ended it.
    let released = LeaseTerm(owner: nil, token: 7, boot: "this", end: now + 1)
    #expect(LeaseTerm.taking(over: released, for: "b", .seconds(1), clock)?.token == 8)
  }
}
