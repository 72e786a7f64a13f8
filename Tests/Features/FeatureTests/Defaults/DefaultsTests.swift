import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

@Suite(.timeLimit(.minutes(1)))
struct `Shared defaults` {
  let store = SuiteStore.inMemory([group: ["visits": 41]])
  var host: TestHost { TestHost(services: [DefaultsService(store: store)]) }

  @Test func `count the visits of a widget`() async throws {
    let result = try await host.update { context in
      let defaults = context.defaults(suiteName: group)
      let visits = try await defaults.integer(forKey: "visits") + 1
      try await defaults.set(visits, forKey: "visits")
      return .newData("Visit \(visits)")
    }
    #expect(result == .newData("Visit 42"))
    #expect(try await store.get("visits", in: group)?.value == 42)
  }

  @Test func `of a group that is not the caller's are refused, to read and to write`() async throws {
    let calls: [@Sendable (SuiteDefaults) async throws -> Void] = [
      { _ = try await $0.value(forKey: "visits") },
      { _ = try await $0.dictionaryRepresentation() },
      { try await $0.set(1, forKey: "visits") },
      { try await $0.setMany(["visits": 1]) },
      { try await $0.removeObject(forKey: "visits") },
    ]
    for call in calls {
      let caught = await #expect(throws: ExtensionError.self) {
        try await host.inWidget(as: .testing(groups: ["group.other"])) { try await call($0.defaults(suiteName: group)) }
      }
      #expect(caught?.code == .groupNotEntitled)
      #expect(caught?.details["group"]?.stringValue == group)
      #expect(caught?.recovery != nil)
    }
    for suite in ["", "visits", "com.example.test"] {
      let caught = await #expect(throws: ExtensionError.self) {
        try await host.inWidget { try await $0.defaults(suiteName: suite).integer(forKey: "visits") }
      }
      #expect(caught?.code == .groupNotEntitled)
    }
    #expect(try await store.all(in: group).values == ["visits": 41])
  }

  @Test func `of a group whose name only looks the same are refused`() async throws {
    // The Kelvin sign, which is the letter K for `String`.
    let (own, other) = ("group.com.example.K", "group.com.example.\u{212A}")
    try await host.inWidget(as: .testing(groups: [own])) { try await $0.defaults(suiteName: own).set(1, forKey: "a") }
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: .testing(groups: [own])) {
        try await $0.defaults(suiteName: other).set(2, forKey: "a")
      }
    }
    #expect(caught?.code == .groupNotEntitled)
    #expect(try await store.get("a", in: own)?.value == 1)
  }

  @Test func `set one key and remove another that only looks the same`() async throws {
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      try await defaults.set(1, forKey: "e\u{301}")
      try await defaults.setMany(["\u{E9}": 2], removing: ["e\u{301}"])
    }
    #expect(try await store.get("\u{E9}", in: group)?.value == 2)
    #expect(try await store.get("e\u{301}", in: group)?.value == nil)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget {
        try await $0.defaults(suiteName: group).setMany(["\u{E9}": 3], removing: ["a", "\u{E9}"])
      }
    }
    #expect(caught?.code == .invalidParams)
  }

  @Test func `set and remove several keys as a whole`() async throws {
    let values = try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      try await defaults.setMany(["a": 1, "b": "two"], removing: ["visits", "never set"])
      return try await defaults.dictionaryRepresentation()
    }
    #expect(values == ["a": 1, "b": "two"])
    #expect(try await store.all(in: group).revision == 2)
  }

  @Test(
    arguments: [
      ["a": 1, "z": .string(String(repeating: "x", count: SuiteStore.valueLimit))],
      ["a": 1, "": 2],
      ["a": 1, String(repeating: "k", count: SuiteStore.keyLimit + 1): 2],
    ] as [[String: PropertyListValue]])
  func `set nothing when one of several values is over a limit`(values: [String: PropertyListValue]) async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget {
        try await $0.defaults(suiteName: group).setMany(values, removing: ["visits"])
      }
    }
    #expect(caught?.code == .limitExceeded)
    let now = try await store.all(in: group)
    #expect(now.values == ["visits": 41])
    #expect(now.revision == 1)
  }

  @Test func `take a value and a key that are just within their limits`() async throws {
    // The byte that tells the type counts.
    let value = PropertyListValue.string(String(repeating: "x", count: SuiteStore.valueLimit - 1))
    let key = String(repeating: "k", count: SuiteStore.keyLimit)
    let read = try await host.inWidget { context in
      try await context.defaults(suiteName: group).set(value, forKey: key)
      return try await context.defaults(suiteName: group).value(forKey: key)
    }
    #expect(read == value)
  }

  @Test func `refuse what makes a suite too large, until something is removed`() async throws {
    let large = PropertyListValue.string(String(repeating: "x", count: SuiteStore.suiteLimit / 4 - (6 << 10)))
    for key in ["a", "b", "c", "d"] { _ = try await store.apply(setting: [key: large], in: group) }
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget { try await $0.defaults(suiteName: group).setMany(["e": "x", "f": large]) }
    }
    #expect(caught?.code == .limitExceeded)
    #expect(caught?.details["limit"] == .integer(Int64(SuiteStore.suiteLimit)))
    #expect(try await store.get("e", in: group) == nil)
    _ = try await store.apply(setting: ["a": large], in: group)
    _ = try await store.apply(setting: ["f": large], removing: ["b"], in: group)
    #expect(try await store.all(in: group).values.keys.sorted() == ["a", "c", "d", "f", "visits"])
  }

  @Test func `are added to, from nothing and up to the largest number, down to the smallest`() async throws {
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      #expect(try await defaults.add(1, forKey: "visits") == 42)
      #expect(try await defaults.add(-2, forKey: "new") == -2)
      #expect(try await defaults.integer(forKey: "visits") == 42)
      try await defaults.set(Int.max, forKey: "new")
      #expect(try await defaults.add(1, forKey: "new") == .max)
      try await defaults.set(Int.min, forKey: "new")
      #expect(try await defaults.add(-1, forKey: "new") == .min)
      try await defaults.set("a text", forKey: "new")
      #expect(try await defaults.add(3, forKey: "new") == 3)
    }
  }

  @Test func `refuse a key that is set and removed at once`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget { try await $0.defaults(suiteName: group).setMany(["a": 1], removing: ["a"]) }
    }
    #expect(caught?.code == .invalidParams)
  }

  @Test func `are swapped only when nobody wrote in between`() async throws {
    try await host.inWidget { context in
      let entry = try await context.call(Defaults.Get(suite: group, key: "visits"))
      let swap = Defaults.CompareAndSet(suite: group, key: "visits", value: 42, expectedRevision: entry.revision)
      let first = try await context.call(swap)
      #expect(first.swapped)
      #expect(first.revision > entry.revision)
      let second = try await context.call(swap)
      #expect(second == .init(swapped: false, revision: first.revision))
      let fresh = try await context.call(
        Defaults.CompareAndSet(suite: group, key: "new", value: "x", expectedRevision: 0))
      #expect(fresh.swapped)
      let removal = try await context.call(
        Defaults.CompareAndSet(suite: group, key: "new", value: nil, expectedRevision: fresh.revision))
      #expect(removal == .init(swapped: true, revision: 0))
    }
    #expect(try await store.all(in: group).values == ["visits": 42])
  }

  @Test func `lose no update of several writers that compare and set`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { writers in
      for _ in 0..<3 {
        writers.addTask {
          try await host.inWidget { context in
            for _ in 0..<20 { try await raise("visits", in: context) }
          }
        }
      }
      try await writers.waitForAll()
    }
    #expect(try await store.get("visits", in: group)?.value == 101)
  }
}

private func raise(_ key: String, in context: ExtensionContext) async throws {
  while true {
    let entry = try await context.call(Defaults.Get(suite: group, key: key))
    let next = (entry.value?.integerValue ?? 0) + 1
    let answer = try await context.call(
      Defaults.CompareAndSet(suite: group, key: key, value: .integer(next), expectedRevision: entry.revision))
    if answer.swapped { return }
  }
}
