import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

@Suite(.timeLimit(.minutes(1)))
struct `Shared defaults in memory` {
  let store = SuiteStore.inMemory([group: ["visits": 41]])
  var host: TestHost { TestHost(services: [DefaultsService(store: store)]) }

  @Test func `are read without waiting after the first use, and see their own writes at once`() async throws {
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      #expect(defaults.current == nil)
      #expect(try await defaults.integer(forKey: "visits") == 41)
      for visits in 42...60 {
        try await defaults.set(visits, forKey: "visits")
        #expect(defaults.current?.integer(forKey: "visits") == visits)
      }
      try await defaults.removeAll()
      #expect(defaults.current?.values == [:])
    }
  }

  @Test func `read the newest after a refresh, whoever wrote it`() async throws {
    let store = store
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      _ = try await defaults.integer(forKey: "visits")
      for visits in 1...20 {
        try await store.apply(setting: ["visits": .integer(Int64(visits))], in: group)
        try await defaults.refresh()
        #expect(try await defaults.integer(forKey: "visits") == visits)
      }
    }
  }

  @Test func `lose at once what this process removes`() async throws {
    let store = SuiteStore.inMemory([group: ["a": 1, "b": 2, "c": 3, "d": 4]])
    try await TestHost(services: [DefaultsService(store: store)]).inWidget { context in
      let defaults = context.defaults(suiteName: group)
      #expect(try await defaults.integer(forKey: "a") == 1)
      try await defaults.removeObject(forKey: "a")
      #expect(defaults.current?.values == ["b": 2, "c": 3, "d": 4])
      try await defaults.setMany(["d": 5], removing: ["b", "none"])
      #expect(defaults.current?.values == ["c": 3, "d": 5])
      try await defaults.update("c") { _ in nil }
      #expect(defaults.current?.values == ["d": 5])
    }
    #expect(try await store.all(in: group).values == ["d": 5])
  }

  @Test func `read the newest of added suites after a refresh, too`() async throws {
    let other = "group.other"
    let store = SuiteStore.inMemory([other: ["visits": 0]])
    let host = TestHost(services: [DefaultsService(store: store)])
    try await host.inWidget(as: .testing(groups: [group, other])) { context in
      var defaults = context.defaults(suiteName: group)
      defaults.addSuite(named: other)
      let first = try await defaults.integer(forKey: "visits")
      #expect(first == 0)
      for visits in 1...20 {
        try await store.apply(setting: ["visits": .integer(Int64(visits))], in: other)
        try await defaults.refresh()
        #expect(defaults.current?.integer(forKey: "visits") == visits)
      }
    }
  }

  @Test func `never go back, and lose nothing, while others write`() async throws {
    let store = store
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      let changes = try await defaults.changes(prefix: "n")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...100 {
            try await store.apply(setting: ["n": .integer(Int64(number)), "m": .integer(Int64(number))], in: suite)
          }
        }
        group.addTask {
          var (last, revision) = (0, defaults.current?.revision ?? 0)
          for try await change in changes {
            #expect(change.after == revision && change.revision > revision && !change.mustReread)
            revision = change.revision
            let snapshot = try await defaults.snapshot()
            let number = snapshot.integer(forKey: "n")
            #expect(number >= last && snapshot.integer(forKey: "m") == number)
            last = number
            if number == 100 { return }
          }
        }
        for number in 1...30 {
          try await defaults.set(number, forKey: "own")
          #expect(try await defaults.integer(forKey: "own") == number)
        }
        try await group.waitForAll()
      }
    }
  }
  private let suite = group

  @Test func `look in added suites and in registered defaults, in this order`() async throws {
    let other = "group.other"
    let store = SuiteStore.inMemory([group: ["a": 1], other: ["a": 2, "b": 2]])
    let host = TestHost(services: [DefaultsService(store: store)])
    try await host.inWidget(as: .testing(groups: [group, other])) { context in
      var defaults = context.defaults(suiteName: group)
      defaults.register(defaults: ["a": 3, "b": 3, "c": 3])
      defaults.addSuite(named: other)
      let a = try await defaults.integer(forKey: "a")
      #expect(a == 1)
      #expect(try await defaults.integer(forKey: "b") == 2)
      #expect(try await defaults.integer(forKey: "c") == 3)
      #expect(try await defaults.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 3])
      defaults.removeSuite(named: other)
      #expect(try await defaults.integer(forKey: "b") == 3)
    }
    #expect(try await store.all(in: group).values == ["a": 1])
  }

  private struct Trip: Codable, Equatable {
    var name: String
    var days: Int
    var price: Double
  }

  @Test func `hold values of the program's own`() async throws {
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      let trips = [Trip(name: "Caves", days: 2, price: 3.0), Trip(name: "Coast", days: 1, price: 0.5)]
      try await defaults.set(encoding: trips, forKey: "trips")
      #expect(try await defaults.value([Trip].self, forKey: "trips") == trips)
      #expect(try await defaults.value([Trip].self, forKey: "none") == nil)
      let caught = await #expect(throws: ExtensionError.self) {
        _ = try await defaults.value(Trip.self, forKey: "visits")
      }
      #expect(caught?.code == .invalidParams)
    }
  }

  @Test func `are updated as a whole by several at once`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await host.inWidget { context in
            let defaults = context.defaults(suiteName: suite)
            for _ in 0..<20 { try await defaults.update("visits") { .integer(($0?.integerValue ?? 0) + 1) } }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.get("visits", in: group)?.value == 101)
  }

  @Test func `of a keyboard are read and not written`() async throws {
    let keyboard = Caller.Identity.testing(point: .keyboard)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: keyboard) { context in
        #expect(try await context.defaults(suiteName: group).integer(forKey: "visits") == 41)
        try await context.defaults(suiteName: group).set(1, forKey: "visits")
      }
    }
    #expect(caught?.code == .permissionDenied)
    #expect(try await store.get("visits", in: group)?.value == 41)
  }
}
