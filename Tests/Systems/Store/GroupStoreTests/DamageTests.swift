import Foundation
import SQLite
import TestSupport
import Testing

@testable import GroupStore

private let suite: SuiteID = "group.a"

@Suite(.timeLimit(.minutes(1)))
struct `A store in trouble` {
  private func backend(
    _ directory: TemporaryDirectory, _ change: (inout SQLiteGroupBackend.Options) -> Void = { _ in }
  ) -> SQLiteGroupBackend {
    var options = SQLiteGroupBackend.Options(path: "\(directory.path)/groups.sqlite")
    change(&options)
    return SQLiteGroupBackend(options)
  }

  @Test(arguments: [0, 4096])
  func `whose file is damaged says so once, keeps the file, and begins anew`(offset: Int) async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/groups.sqlite"
    do {
      let first = backend(directory)
      for key in 0..<50 { _ = try await first.apply(suite, [.set("\(key)", [UInt8](repeating: 7, count: 900))]) }
    }
    for name in ["-wal", "-shm"] { #expect(FileManager.default.fileExists(atPath: path + name) == false) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count > 16_384)
    for index in offset..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 37 &+ 11) }
    try bytes.write(to: URL(fileURLWithPath: path))
    let second = backend(directory)
    let caught = await #expect(throws: GroupStoreError.self) { _ = try await second.snapshot(suite) }
    guard case .corrupt(_, let setAside?)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: setAside)) == bytes)
    #expect(second.setAside == [setAside])
    #expect(caught?.recovery.contains(setAside) == true)
    #expect(try await second.snapshot(suite) == SuiteState())
    #expect(try await second.apply(suite, [.set("new", [1])]) == 1)
  }

  @Test func `that is full refuses what does not fit, and loses nothing`() async throws {
    let directory = try TemporaryDirectory()
    let store = backend(directory) { $0.maximumPageCount = 60 }
    var written = 0
    var caught: GroupStoreError?
    while caught == nil, written < 100 {
      do {
        _ = try await store.apply(suite, [.set("\(written)", [UInt8](repeating: 1, count: 9000))])
        written += 1
      } catch { caught = error as? GroupStoreError }
    }
    guard case .unavailable(let message, let recovery, _)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(message.contains("full"))
    #expect(recovery.contains("space"))
    #expect(written > 5)
    let state = try await store.snapshot(suite)
    #expect(state.entries.count == written && state.revision == Int64(written))
    _ = try await store.apply(suite, [.removeAll])
    #expect(try await store.apply(suite, [.set("again", [2])]) == Int64(written) + 2)
  }

  @Test func `whose gate another keeps fails after its timeout, and works when the gate is free`() async throws {
    let directory = try TemporaryDirectory()
    let store = backend(directory) { $0.timeout = .milliseconds(50) }
    _ = try await store.apply(suite, [.set("a", [1])])
    let gate = try DatabaseGate(path: "\(directory.path)/groups.sqlite.gate", timeout: .seconds(1))
    try gate.take()
    let caught = await #expect(throws: GroupStoreError.self) { _ = try await store.apply(suite, [.set("a", [2])]) }
    guard case .unavailable(_, _, isRetryable: true)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(try await store.get(suite, "a")?.bytes == [1])
    gate.give()
    #expect(try await store.apply(suite, [.set("a", [3])]) == 2)
  }

  @Test func `without a folder names what is missing`() async throws {
    let store = SQLiteGroupBackend(.init(path: "/nonexistent/groups.sqlite"))
    let caught = await #expect(throws: GroupStoreError.self) { _ = try await store.snapshot(suite) }
    guard case .unavailable(let message, let recovery, _)? = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    #expect(message.contains("/nonexistent/groups.sqlite"))
    #expect(!recovery.isEmpty)
  }

  @Test func `that another process set aside is opened anew, and watchers are told`() async throws {
    let directory = try TemporaryDirectory()
    let store = backend(directory) { $0.pollInterval = .milliseconds(20) }
    for _ in 0..<3 { _ = try await store.apply(suite, [.set("a", [1])]) }
    var changes = store.changes(suite, after: 3).makeAsyncIterator()
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(directory.path)/groups.sqlite\(name)")
    }
    #expect(try await store.apply(suite, [.set("b", [2])]) == 1)
    let batch = try await changes.next()
    #expect(batch == .compacted(through: 1))
  }

  /// A new store, which has come to a revision before anybody looked.
  private func replace(_ directory: TemporaryDirectory, revision: Int64) async throws {
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(directory.path)/groups.sqlite\(name)")
    }
    let other = backend(directory)
    for _ in 0..<revision { _ = try await other.apply(suite, [.set("other", [1])]) }
  }

  @Test(arguments: [Int64(2), 3, 4, 9])
  func `that was replaced is noticed, whatever revision the new one has come to`(revision: Int64) async throws {
    let directory = try TemporaryDirectory()
    let store = backend(directory) { $0.pollInterval = .milliseconds(20) }
    for _ in 0..<3 { _ = try await store.apply(suite, [.set("a", [1])]) }
    let watcher = store.watch(suite, after: 3, of: try await store.identity())
    try await replace(directory, revision: revision)
    #expect(try await watcher.next() == .compacted(through: revision))
    #expect(try await store.apply(suite, [.set("b", [2])]) == revision + 1)
    let change = Change(key: "b", bytes: [2], revision: revision + 1)
    #expect(try await watcher.next() == .changed([change], through: revision + 1))
  }

  @Test func `that was replaced before this process wrote is noticed as well`() async throws {
    let directory = try TemporaryDirectory()
    let store = backend(directory) { $0.pollInterval = .seconds(60) }
    for _ in 0..<3 { _ = try await store.apply(suite, [.set("a", [1])]) }
    let before = try await store.identity()
    let watcher = store.watch(suite, after: 2, of: before)
    #expect(try await watcher.next()?.through == 3)
    try await replace(directory, revision: 3)
    // The watcher is at 3, and this is 4: as if nothing had happened.
    #expect(try await store.apply(suite, [.set("b", [2])]) == 4)
    #expect(try await watcher.next() == .compacted(through: 4))
    #expect(try await store.identity() != before)
    #expect(try await store.delta(suite, after: 3, of: before).batch == .compacted(through: 4))
  }

  @Test func `that is opened again is the same store`() async throws {
    let directory = try TemporaryDirectory()
    let identity = try await backend(directory).identity()
    #expect(try await backend(directory).identity() == identity)
    #expect(identity.text.count == 32)
    let other = try TemporaryDirectory()
    #expect(try await backend(other).identity() != identity)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Two stores on one file` {
  @Test(arguments: [Duration.milliseconds(10), .seconds(60)])
  func `hear of each other's writes`(poll: Duration) async throws {
    let directory = try TemporaryDirectory()
    var options = SQLiteGroupBackend.Options(path: "\(directory.path)/groups.sqlite")
    options.pollInterval = poll
    let (one, two) = (SQLiteGroupBackend(options), SQLiteGroupBackend(options))
    _ = try await one.apply(suite, [.set("count", [0])])
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        _ = try await two.delta(suite, after: 1)
        continuation.finish()
        var revision: Int64 = 1
        for try await batch in two.changes(suite, after: 1) {
          #expect(batch.through > revision)
          revision = batch.through
          if revision == 31 { return }
        }
      }
      for await _ in ready {}
      for count in 1...30 { _ = try await one.apply(suite, [.set("count", [UInt8(count)])]) }
      try await group.waitForAll()
    }
    #expect(try await two.get(suite, "count") == Versioned(bytes: [30], revision: 31))
  }

  @Test func `give every writer its turn`() async throws {
    let directory = try TemporaryDirectory()
    let options = SQLiteGroupBackend.Options(path: "\(directory.path)/groups.sqlite")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in 0..<3 {
        group.addTask {
          let backend = SQLiteGroupBackend(options)
          for key in 0..<100 { _ = try await backend.apply(suite, [.set("\(store).\(key)", [1])]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await SQLiteGroupBackend(options).snapshot(suite).revision == 300)
  }
}
