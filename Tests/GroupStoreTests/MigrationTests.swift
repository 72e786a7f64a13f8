import Foundation
import SQLite
import TestSupport
import Testing

@testable import GroupStore

@Suite(.timeLimit(.minutes(1)))
struct `A store of an earlier format` {
  /// Makes a store as a program with only the first steps would have left it.
  private func make(_ path: String, steps: Int, _ rows: String) throws {
    let database = try Database(
      path: path, options: DatabaseOptions(applicationID: GroupTables.applicationID),
      migrations: Migrations(Array(GroupTables.migrations.steps.prefix(steps))))
    try database.script(rows)
  }

  @Test func `of texts keeps its values and revisions, and counts their bytes`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    try make(
      path, steps: 1,
      """
      INSERT INTO suites VALUES ('group.a', 7, 99), ('group.b', 1, 3);
      INSERT INTO entries VALUES ('group.a', 'count', '41', 3), ('group.a', 'é', '"漢"', 7), ('group.b', 'c', 'true', 1);
      """)
    let store = SQLiteGroupBackend(.init(path: path))
    let state = try await store.snapshot("group.a")
    // The tag 9 says that JSON text follows.
    #expect(
      state
        == SuiteState(
          revision: 7,
          entries: [
            "count": Versioned(bytes: [9] + Array("41".utf8), revision: 3),
            "é": Versioned(bytes: [9] + Array("\"漢\"".utf8), revision: 7),
          ]))
    #expect(try await store.get("group.b", "c") == Versioned(bytes: [9] + Array("true".utf8), revision: 1))
    // What was removed before is not known: whoever is older reads again.
    #expect(try await store.delta("group.a", after: 6) == .compacted(through: 7))
    #expect(try await store.delta("group.a", after: 7) == .changed([], through: 7))
    #expect(try await store.apply("group.a", [.remove("count")]) == 8)
    let rest = try Database(
      path: path, options: DatabaseOptions(applicationID: GroupTables.applicationID, isReadOnly: true),
      migrations: GroupTables.migrations)
    #expect(try rest.scalar("SELECT bytes FROM suites WHERE name = 'group.a'") == .integer(Int64(2 + 1 + 5)))
    #expect(try rest.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'entries'") == .integer(0))
  }

  @Test func `without an identity gets one, which stays`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    try make(
      path, steps: 2,
      "INSERT INTO suites VALUES ('group.a', 4, 2, 0); INSERT INTO items VALUES ('group.a', 'k', x'01', 4);")
    let identity = try await SQLiteGroupBackend(.init(path: path)).identity()
    #expect(identity.text.count == 32)
    let again = SQLiteGroupBackend(.init(path: path))
    #expect(try await again.identity() == identity)
    #expect(try await again.snapshot("group.a").entries == ["k": Versioned(bytes: [1], revision: 4)])
  }

  @Test func `is brought up once by many who open it together`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    try make(
      path, steps: 1,
      "INSERT INTO suites VALUES ('group.a', 1, 9); INSERT INTO entries VALUES ('group.a', 'k', '1', 1);")
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
    #expect(found.map(\.1).sorted() == Array(2...7))
  }

  @Test func `of a later program is refused, and left as it is`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    try make(path, steps: 3, "PRAGMA user_version = 99")
    let store = SQLiteGroupBackend(.init(path: path))
    let caught = await #expect(throws: GroupStoreError.self) { _ = try await store.snapshot("group.a") }
    guard case .unavailable(let message, _, isRetryable: false)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(message.contains("99"))
    #expect(store.setAside.isEmpty)
  }
}
