import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GroupStore

private let suite: SuiteID = "group.batch"

/// Writes that come while another commit runs, and go together in the next.
@Suite(.timeLimit(.minutes(1)))
struct `Writes that go together` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Keeps the first write at the gate until it is released.
  private final class Gatekeeper: Sendable {
    private let count = Atomic(0)
    private let isReleased = Atomic(false)
    private let ending: AsyncStream<Void>.Continuation
    /// Ends when the first write is there.
    let first: AsyncStream<Void>

    init() { (first, ending) = AsyncStream.makeStream(of: Void.self) }

    func pass(_ point: CrashPoint) {
      guard point == .gateTaken, count.add(1, ordering: .relaxed).oldValue == 0 else { return }
      ending.finish()
      while !isReleased.load(ordering: .acquiring) { sched_yield() }
    }

    func release() { isReleased.store(true, ordering: .releasing) }
  }

  private func backend(_ gatekeeper: Gatekeeper, maximumPageCount: Int? = nil) -> SQLiteGroupBackend {
    var options = SQLiteGroupBackend.Options(path: directory.file("groups.sqlite"))
    options.maximumPageCount = maximumPageCount
    options.limits.maxValueBytes = 1 << 20
    options.crash = { point in gatekeeper.pass(point) }
    return SQLiteGroupBackend(options)
  }

  /// Makes a first write of the key "first", and all others while it is under way.
  ///
  /// - Returns: how the others end: the revision, or the error.
  private func write(
    _ writes: [(changes: [Mutation], require: [Condition])], to backend: SQLiteGroupBackend, _ gatekeeper: Gatekeeper
  ) async throws -> [(revision: Int64?, error: GroupStoreError?)] {
    let first = Task { try await backend.apply(suite, [.set("first", [0])]) }
    for await _ in gatekeeper.first {}
    // Each task runs until it waits for its commit.
    let others = writes.map { changes, conditions in
      Task.immediate { try await backend.apply(suite, changes, require: conditions) }
    }
    gatekeeper.release()
    #expect(try await first.value == 1)
    var outcomes: [(revision: Int64?, error: GroupStoreError?)] = []
    for other in others {
      switch await other.result {
      case .success(let revision): outcomes.append((revision, nil))
      case .failure(let error): outcomes.append((nil, error as? GroupStoreError))
      }
    }
    return outcomes
  }

  @Test func `end each for itself, and those that are refused take nothing with them`() async throws {
    let gatekeeper = Gatekeeper()
    let backend = backend(gatekeeper)
    let watcher = backend.watch(suite, after: 0, of: nil)
    let long = [UInt8](repeating: 7, count: (1 << 20) + 1)
    let outcomes = try await write(
      [
        ([.set("a", [1])], []), ([.set("b", [2])], [.absent("first")]), ([], []),
        ([.set("c", [3]), .set("d", long)], []), ([.set("e", [4])], [.revision("a", 2)]), ([.remove("first")], []),
      ], to: backend, gatekeeper)
    #expect(outcomes.map(\.revision) == [2, nil, 2, nil, 3, 4])
    #expect(outcomes[1].error == .conflict(key: "first", revision: 1))
    guard case .quota(_, limit: 1 << 20)? = outcomes[3].error else {
      Issue.record("\(outcomes)")
      return
    }
    let entries = try await backend.snapshot(suite).entries
    #expect(entries.mapValues(\.revision) == ["a": 2, "e": 3])
    var (through, keys): (Int64, [String]) = (0, [])
    while through < 4, case .changed(let changes, let revision)? = try await watcher.next() {
      keys += changes.map(\.key)
      through = revision
    }
    #expect(through == 4 && Set(keys) == ["first", "a", "e"])
  }

  @Test func `are stored without the one that the disk has no room for`() async throws {
    let gatekeeper = Gatekeeper()
    let backend = backend(gatekeeper, maximumPageCount: 60)
    let long = [UInt8](repeating: 7, count: 60 * 4096)
    let outcomes = try await write(
      [([.set("a", [1])], []), ([.set("b", long)], []), ([.set("c", [3])], []), ([.set("d", long)], [])], to: backend,
      gatekeeper)
    #expect(outcomes.map(\.revision) == [2, nil, 3, nil])
    for outcome in [outcomes[1], outcomes[3]] {
      guard case .unavailable(let message, _, isRetryable: true)? = outcome.error else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(message.contains("full"))
    }
    let entries = try await backend.snapshot(suite).entries
    #expect(entries.mapValues(\.revision) == ["first": 1, "a": 2, "c": 3])
    #expect(try await backend.apply(suite, [.set("e", [5])]) == 4)
  }
}
