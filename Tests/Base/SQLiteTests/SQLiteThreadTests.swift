import Synchronization
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(1))) struct `The thread of a database` {
  private actor Tally {
    nonisolated let thread: SQLiteThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var count = 0
    private(set) var together = 0
    private var isInside = false

    init(_ thread: SQLiteThread) { self.thread = thread }

    func add() async {
      for _ in 0..<10 {
        if isInside { together += 1 }
        isInside = true
        count += 1
        isInside = false
        await Task.yield()
      }
    }
  }

  /// That there is none ends no program.
  @Test func `is replaced where the system has none, and the work is done one piece after the other`() async {
    let attempts = Atomic<Int>(0)
    let tally = Tally(
      SQLiteThread(name: "none") { _, _ in
        attempts.add(1, ordering: .relaxed)
        return 11
      })
    await withDiscardingTaskGroup { group in
      for _ in 0..<100 { group.addTask { await tally.add() } }
    }
    #expect(await tally.count == 1000)
    #expect(await tally.together == 0)
    #expect(attempts.load(ordering: .relaxed) > 1, "it is tried again")
  }
}
