import Foundation
import TestSupport
import Testing

@testable import GroupStore

@Suite(.timeLimit(.minutes(1)))
struct `A store that nobody holds any more` {
  /// The threads of stores in this process.
  private func threads() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("annex-store") == true
    }
  }

  @Test func `has ended its thread`() async throws {
    let directory = try TemporaryDirectory()
    let before = threads()
    for _ in 0..<10 {
      let store = SQLiteGroupBackend(.init(path: "\(directory.path)/groups.sqlite"))
      _ = try await store.apply("group.a", [.set("a", [1])])
    }
    let end = ContinuousClock.now + .seconds(10)
    while threads() > before, ContinuousClock.now < end { await Task.yield() }
    #expect(threads() <= before)
  }
}
