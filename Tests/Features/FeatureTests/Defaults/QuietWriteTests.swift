import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

/// A widget shows itself what it writes, so that no widget is updated for it.
@Suite(.timeLimit(.minutes(1)))
struct `A write to shared defaults` {
  private let store = SuiteStore.inMemory()
  private var host: TestHost { TestHost(services: [DefaultsService(store: store)]) }

  /// One of each kind, after which there is nothing but the last key.
  private static let writes: [@Sendable (ExtensionContext) async throws -> Int64] = [
    { try await $0.call(Defaults.Set(suite: group, key: "a", value: 1)).revision },
    { try await $0.call(Defaults.SetMany(suite: group, values: ["a": 2, "b": 3], remove: ["c"])).revision },
    { try await $0.call(Defaults.Remove(suite: group, key: "a")).revision },
    { try await $0.call(Defaults.RemoveAll(suite: group)).revision },
    { context in
      let swap = try await context.call(Defaults.CompareAndSet(suite: group, key: "c", value: 1, expectedRevision: 0))
      return swap.swapped ? swap.revision : -1
    },
  ]

  /// The loud revision of the suite after each of the writes of one process.
  private func loud(after identity: Caller.Identity) async throws -> [Int64] {
    let store = store
    return try await host.inWidget(as: identity) { context in
      var loud: [Int64] = []
      for (index, write) in Self.writes.enumerated() {
        let before = try await store.all(in: group).revision
        let revision = try await write(context)
        #expect(revision == before + 1, "\(index)")
        loud.append(try await store.loudRevision(of: group))
      }
      try await store.removeAll(in: group, quietly: true)
      return loud
    }
  }

  @Test func `is quiet when a widget makes it, and loud otherwise`() async throws {
    let app = Caller.Identity.testing(id: "com.example.test", point: .containingApp)
    let quiet = try await loud(after: .testing(point: .today))
    #expect(quiet == [0, 0, 0, 0, 0])
    let heard = try await loud(after: app)
    #expect(heard == [7, 8, 9, 10, 11])
    let again = try await loud(after: .testing(point: .today))
    #expect(again == [11, 11, 11, 11, 11])
  }
}
