import Files
import HostServices
import PropertyList
import Synchronization
import TestSupport
import Testing

@testable import ContentClient
@testable import FeatureCommands

/// What widgets are updated for when somebody else writes.
@Suite(.timeLimit(.minutes(1)))
struct `The state that widgets watch` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file() throws -> SuiteStore {
    let place = folder.file("store")
    try Folder.make(place)
    return .file { "\(place)/groups.sqlite" }
  }

  private func watched(_ store: SuiteStore) -> WatchedState {
    WatchedState(store: store, groups: ["group.a", "group.b"], home: folder.path)
  }

  @Test(arguments: [true, false])
  func `changes with each group that is written to, once for each time`(isFile: Bool) async throws {
    let store: SuiteStore = try isFile ? file() : .inMemory()
    try await store.apply(setting: ["x": 0], in: "group.a")
    var state = watched(store)
    try await state.settle()
    let before = try await state.groupsThatChanged()
    #expect(before == [])
    for value in 1...2 {
      try await store.apply(setting: ["x": .integer(Int64(value))], in: "group.b")
      let changed = try await state.groupsThatChanged()
      #expect(changed == ["group.b"])
      let again = try await state.groupsThatChanged()
      #expect(again == [])
    }
    try await store.apply(setting: ["x": 3], in: "group.c")
    try await store.apply(setting: ["x": 3], in: "group.a", quietly: true)
    let quiet = try await state.groupsThatChanged()
    #expect(quiet == [], "it is no group of theirs, or was shown already")
    for group in ["group.a", "group.b"] { try await store.apply(setting: ["x": 4], in: group) }
    let both = try await state.groupsThatChanged()
    #expect(both == ["group.a", "group.b"])
  }

  private func cache() throws -> ResponseCache {
    let place = folder.file("cache/content.sqlite")
    try Folder.make(folder.file("cache"))
    return ResponseCache(path: { place }, maximumBytes: 1 << 20, report: { Issue.record("\($0)") })
  }

  private static func keep(_ text: String, at time: Int, in cache: ResponseCache) async {
    let answer = CachedAnswer(
      body: Array(text.utf8), entityTag: nil, control: CacheControl(fields: ["max-age=60"]), storedAt: time,
      initialAge: 0)
    await cache.store(answer, for: ResponseCache.Key(url: "u", identity: "i"), now: time)
  }

  @Test func `is still a change after a look that failed`() async throws {
    struct Unreachable: Error {}
    let place = folder.file("store")
    let writer = try file()
    try await writer.apply(setting: ["x": 1], in: "group.a")
    await Self.keep("one", at: 1, in: try cache())
    let fails = Mutex(true)
    let store = SuiteStore.file {
      if fails.withLock({ $0 }) { throw Unreachable() }
      return "\(place)/groups.sqlite"
    }
    var state = watched(store)
    do {
      let changed = try await state.groupsThatChanged()
      Issue.record("The store cannot be asked, and \(changed) have changed.")
    } catch {}
    fails.withLock { $0 = false }
    let changed = try await state.groupsThatChanged()
    #expect(changed == ["group.a", "group.b", WatchedState.content])
    try await writer.apply(setting: ["x": 2], in: "group.b")
    let next = try await state.groupsThatChanged()
    #expect(next == ["group.b"])
  }

  @Test func `changes with what the cache has, and not with what the widgets have brought themselves`() async throws {
    let cache = try cache()
    func keep(_ text: String, at time: Int) async { await Self.keep(text, at: time, in: cache) }
    var state = watched(.inMemory())
    try await state.settle()
    let before = try await state.groupsThatChanged()
    #expect(before == [])
    for text in ["one", "two"] {
      await keep(text, at: 1)
      let changed = try await state.groupsThatChanged()
      #expect(changed == [WatchedState.content], "\(text)")
      let again = try await state.groupsThatChanged()
      #expect(again == [], "\(text)")
    }
    await keep("two", at: 9)
    let confirmed = try await state.groupsThatChanged()
    #expect(confirmed == [], "the server has said that it is as it was")
    await keep("three", at: 10)
    await state.settleContent()
    let settled = try await state.groupsThatChanged()
    #expect(settled == [])
  }
}
