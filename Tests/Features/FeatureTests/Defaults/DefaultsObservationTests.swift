import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

/// Observes a suite when the host asks it to, writes when the host asks it to, and leaves what it hears in a stream.
private struct Observer: AppExtension, PointContract {
  static let definition = ExtensionPointDefinition(
    ExtensionPoint("com.example.probe"), shortName: "probe", role: "a probe", plural: "the probes",
    calls: [.request(Watch.self), .request(Write.self)], limits: ExtensionLimits(memoryMiB: 32))
  static let points = [definition]

  struct Watch: RemoteMethod {
    typealias Result = Empty
    static let method = "probe/watch"
    var prefix: String
  }
  struct Write: RemoteMethod {
    typealias Result = Empty
    static let method = "probe/write"
    var key: String
  }

  @TaskLocal static var heard: AsyncStream<Defaults.DidChange>.Continuation?
  private let heard = Self.heard

  var handlers: [SessionHandler] {
    let heard = heard
    return [
      SessionHandler(Watch.self) { watch, session in
        _ = try await session.call(Defaults.Observe(suite: group, prefix: watch.prefix))
        return Empty()
      },
      SessionHandler(Write.self) { write, session in
        _ = try await session.call(Defaults.Set(suite: group, key: write.key, value: 1))
        return Empty()
      },
      SessionHandler(notification: Defaults.DidChange.self) { change, _ in heard?.yield(change) },
    ]
  }
}

/// What an observer heard, one after the other.
private struct Changes: Sendable {
  let stream: AsyncStream<Defaults.DidChange>
  func next() async -> Defaults.DidChange? { await stream.first { _ in true } }
}

@Suite(.timeLimit(.minutes(1)))
struct `An observer of shared defaults` {
  private let service = DefaultsService(store: .inMemory())
  private var host: TestHost { TestHost(services: [service], points: [Observer.self]) }

  /// Runs an observer whose notifications the body takes from an iterator.
  private func withObserver(
    prefix: String,
    _ body: (ExtensionProcess, Changes) async throws -> Void
  ) async throws {
    let (changes, continuation) = AsyncStream.makeStream(of: Defaults.DidChange.self)
    try await Observer.$heard.withValue(continuation) {
      try await host.withExtension(Observer.self) { process in
        _ = try await process.call(Observer.Watch(prefix: prefix))
        try await body(process, Changes(stream: changes))
      }
    }
    continuation.finish()
  }

  private func write(_ values: [String: PropertyListValue], removing keys: [String] = []) async throws {
    try await host.inWidget { try await $0.defaults(suiteName: group).setMany(values, removing: keys) }
  }

  @Test func `hears of what others write, set and remove, with the revision`() async throws {
    try await withObserver(prefix: "") { _, changes in
      try await write(["a": 1, "b": 2])
      var change = await changes.next()
      #expect(change?.suite == group)
      #expect(change?.revision == 1)
      #expect(change?.keys == ["a", "b"])
      try await write([:], removing: ["a"])
      change = await changes.next()
      #expect(change?.revision == 2)
      #expect(change?.keys == ["a"])
    }
  }

  @Test func `hears of each write once, however often it observes, and is told no values`() async throws {
    try await withObserver(prefix: "a") { process, changes in
      for prefix in ["b", "a"] { _ = try await process.call(Observer.Watch(prefix: prefix)) }
      for revision in 1...5 as ClosedRange<Int64> {
        let key = revision % 2 == 0 ? "a" : "b"
        try await write([key: 1])
        let change = await changes.next()
        #expect(change?.revision == revision && change?.keys == [key])
        #expect(change?.after == nil && change?.changes == nil)
      }
    }
  }

  @Test func `hears of what it writes itself, so that no revision is missing`() async throws {
    try await withObserver(prefix: "") { process, changes in
      _ = try await process.call(Observer.Write(key: "mine"))
      try await write(["theirs": 1])
      var heard: [String] = []
      var revision: Int64 = 0
      while revision < 2 {
        let change = try #require(await changes.next())
        #expect(change.revision > revision)
        revision = change.revision
        heard += change.keys
      }
      #expect(heard == ["mine", "theirs"])
    }
  }

  @Test func `hears only of keys with its prefix`() async throws {
    try await withObserver(prefix: "shared.") { _, changes in
      try await write(["private": 1])
      try await write(["private": 2, "shared.1": 1])
      let change = await changes.next()
      #expect(change?.revision == 2)
      #expect(change?.keys == ["shared.1"])
    }
  }

  @Test func `hears of keys that begin with the bytes of a prefix`() async throws {
    // The accent belongs to the letter before it for `String`.
    try await withObserver(prefix: "e") { _, changes in
      try await write(["e\u{301}1": 1])
      try await write(["e": 1])
      let key = await changes.next()?.keys.first ?? ""
      #expect(key.utf8.elementsEqual("e\u{301}1".utf8))
    }
    // Another spelling of a prefix covers other keys.
    try await withObserver(prefix: "\u{E9}") { process, changes in
      _ = try await process.call(Observer.Watch(prefix: "e\u{301}"))
      try await write(["e\u{301}2": 1])
      try await write(["\u{E9}2": 1])
      let key = await changes.next()?.keys.first ?? ""
      #expect(key.utf8.elementsEqual("e\u{301}2".utf8))
    }
  }

  @Test func `hears nothing of a swap that did not happen`() async throws {
    try await withObserver(prefix: "") { _, changes in
      try await host.inWidget { context in
        for (revision, key) in [(9, "refused"), (0, "swapped")] as [(Int64, String)] {
          _ = try await context.call(
            Defaults.CompareAndSet(suite: group, key: key, value: 1, expectedRevision: revision))
        }
      }
      let change = await changes.next()
      #expect(change?.keys == ["swapped"])
    }
  }

  @Test func `needs to be entitled to the group`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.withExtension(Observer.self, identity: .testing(point: Observer.point, groups: [])) {
        _ = try await $0.call(Observer.Watch(prefix: ""))
      }
    }
    #expect(caught?.code == .groupNotEntitled)
  }
}
