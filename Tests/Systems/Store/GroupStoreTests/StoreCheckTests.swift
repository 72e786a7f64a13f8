import Foundation
import TestSupport
import Testing

@testable import GroupStore

private let suite: SuiteID = "group.a"

/// Pages that rotted where nobody has looked: the file opens, and reads go on with other keys than were written.
@Suite(.timeLimit(.minutes(1)))
struct `A store whose pages rotted` {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/groups.sqlite" }
  private var backend: SQLiteGroupBackend { SQLiteGroupBackend(SQLiteGroupBackend.Options(path: path)) }

  init() async throws {
    directory = try TemporaryDirectory()
    let store = backend
    for key in 0..<100 {
      _ = try await store.apply(suite, [.set("\(100 + key)", [UInt8](repeating: 7, count: 900))])
    }
  }

  /// Puts one page of keys in the place of another.
  private func rot() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // Pages of 4 KiB that begin with 10 are leaves of a table without row numbers, or of an index.
    let leaves = stride(from: 4096, to: bytes.count, by: 4096).filter { bytes[$0] == 10 }
    let (from, to) = (try #require(leaves.dropLast(2).last), try #require(leaves.dropLast(3).last))
    bytes.replaceSubrange(to..<(to + 4096), with: bytes[from..<(from + 4096)])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func setLastLook(_ seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: "\(path).checked")
  }

  @Test func `is found when it is asked for, and left as it is`() throws {
    #expect(try StoreCheck.damage(at: path) == nil)
    try rot()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try StoreCheck.damage(at: path) != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test(arguments: [(-86_300.0, false), (-86_401, true), (-1, false), (60, true)])
  func `is looked for when a day has passed, or the clock was set back`(lastLook: Double, isDue: Bool) throws {
    try setLastLook(lastLook)
    #expect(StoreCheck.isDue(path) == isDue)
    StoreCheck.done(path)
    #expect(!StoreCheck.isDue(path))
    #expect(StoreCheck.isDue(directory.file("another.sqlite")), "nobody has looked at it")
  }

  @Test func `is read on before a day has passed`() async throws {
    try rot()
    #expect(try await !backend.snapshot(suite).entries.isEmpty)
  }

  @Test(arguments: [-100_000.0, 100_000]) func `is set aside when a day has passed`(lastLook: Double) async throws {
    try rot()
    try setLastLook(lastLook)
    let store = backend
    let error = await #expect(throws: GroupStoreError.self) { _ = try await store.snapshot(suite) }
    guard case .corrupt(_, let setAside?)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.recovery.contains(setAside) == true)
    #expect(try await store.snapshot(suite) == SuiteState())
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A quiet write` {
  @Test(arguments: Store.allCases) func `is a write like any other, and wakes nobody who shows it`(
    store: Store
  ) async throws {
    try await store.run { (store, _) async throws in
      #expect(try await store.loudRevision(suite) == 0)
      #expect(try await store.apply(suite, [.set("a", [1])], quietly: true) == 1)
      #expect(try await store.loudRevision(suite) == 0)
      #expect(try await store.apply(suite, [.set("a", [2])]) == 2)
      #expect(try await store.apply(suite, [.set("b", [3])], quietly: true) == 3)
      #expect(try await store.apply(suite, []) == 3)
      #expect(try await store.loudRevision(suite) == 2)
      #expect(try await store.snapshot(suite).revision == 3)
      #expect(try await store.apply(suite, [.removeAll]) == 4)
      #expect(try await store.loudRevision(suite) == 4)
      #expect(try await store.loudRevision("group.none") == 0)
      // One under a lease is quiet as little as another, unless it says so.
      let lease = try #require(try await store.acquire("writer", owner: "a", for: .seconds(50)))
      #expect(try await store.apply(suite, [.set("c", [1])], fence: lease) == 5)
      #expect(try await store.loudRevision(suite) == 5)
      #expect(try await store.apply(suite, [.set("c", [2])], require: [], fence: lease, quietly: true) == 6)
      #expect(try await store.loudRevision(suite) == 5)
    }
  }
}
