import SQLite
import TestSupport
import Testing

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
}
