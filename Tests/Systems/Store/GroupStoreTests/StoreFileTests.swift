import SQLite
import TestSupport
import Testing
import Time

@testable import GroupStore

@Suite(.timeLimit(.minutes(1)))
struct `The file of a store` {
  @Test func `is made once by many who open it together`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    let found = try await withThrowingTaskGroup(of: (StoreID, Int64).self) { group in
      for number in 0..<6 {
        group.addTask {
          let store = SQLiteGroupBackend(.init(path: path))
          return (try await store.identity(), try await store.apply("group.a", [.set("\(number)", [1])]))
        }
      }
      return try await group.reduce(into: [(StoreID, Int64)]()) { $0.append($1) }
    }
    #expect(Set(found.map(\.0)).count == 1)
    #expect(found.first?.0.text.count == 32)
    #expect(found.map(\.1).sorted() == Array(1...6))
  }

  @Test func `of a later program is refused, and left as it is`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    try Database(
      path: path, options: DatabaseOptions(applicationID: GroupTables.applicationID),
      migrations: GroupTables.migrations
    ).script("PRAGMA user_version = 99")
    let store = SQLiteGroupBackend(.init(path: path))
    let caught = await #expect(throws: GroupStoreError.self) { _ = try await store.snapshot("group.a") }
    guard case .unavailable(let message, _, isRetryable: false)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(message.contains("99"))
    #expect(store.setAside.isEmpty)
  }

  /// Writes that come while another commit runs go together with the next, each whole or not at all.
  @Test func `keeps nothing of a write that is refused, beside others in its transaction`() throws {
    let directory = try TemporaryDirectory()
    var limits = BackendLimits()
    (limits.maxValueBytes, limits.maxSuiteBytes) = (8, 12)
    let tables = try GroupTables(
      path: "\(directory.path)/groups.sqlite", options: DatabaseOptions(applicationID: GroupTables.applicationID),
      limits: limits)
    func write(_ changes: [Mutation], require: [Condition] = []) -> GroupWrite {
      GroupWrite("group.a", changes, require, nil, isQuiet: false)
    }
    let clock = BootClock.system
    try tables.database.run("BEGIN IMMEDIATE")
    #expect(try tables.apply(write([.set("a", [1])]), clock: clock).revision == 1)
    let refused = [
      write([.set("b", [2]), .set("c", [UInt8](repeating: 3, count: 9))]),
      write([.set("b", [2]), .set("c", [UInt8](repeating: 3, count: 8)), .set("d", [4])]),
      write([.removeAll, .set("b", [2])], require: [.absent("a")]),
    ]
    for write in refused { #expect(throws: GroupStoreError.self) { try tables.apply(write, clock: clock) } }
    #expect(try tables.apply(write([.set("e", [5])]), clock: clock).revision == 2)
    try tables.database.run("COMMIT")
    let snapshot = try tables.snapshot("group.a")
    #expect(snapshot.revision == 2 && snapshot.entries.mapValues(\.bytes) == ["a": [1], "e": [5]])
    guard case .changed(let changes, through: 2) = try tables.delta("group.a", after: 0) else {
      Issue.record("There is no delta.")
      return
    }
    #expect(changes.map(\.key) == ["a", "e"])
  }
}
