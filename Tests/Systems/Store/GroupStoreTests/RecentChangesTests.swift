import EventLoop
import PostgreSQL
import Testing

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
