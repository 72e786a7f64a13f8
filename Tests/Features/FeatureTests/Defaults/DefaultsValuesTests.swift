import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

@Suite(.timeLimit(.minutes(1)))
struct `A value of shared defaults` {
  let host = TestHost(services: [DefaultsService(store: .inMemory())])

  private static let values: [PropertyListValue] = [
    "", "text", "Grüße, 世界 🕯️ \"quoted\" \\ \n \u{0} \u{2028}", 0, 1, -1, .integer(.max), .integer(.min), 1.0, 0.1, -0.5,
    .real(1e300), true, false, .date(0), .date(1_700_000_000.25), .date(-1), .data([]),
    .data([0, 1, 254, 255]), [], [1, 1.0, true, "1", [nil2, [:]]], [:], ["a": 1, "b": ["c": [.data([7]), .date(3)]]],
  ]
  private static let nil2: PropertyListValue = "nil"

  @Test(arguments: values)
  func `comes back as it was, of the same type`(value: PropertyListValue) async throws {
    let read = try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      try await defaults.set(value, forKey: "k")
      return try await defaults.value(forKey: "k")
    }
    #expect(read == value)
    #expect(read?.typeName == value.typeName)
  }

  @Test(arguments: ["k", " ", "a.b/c", "Ключ", "a\u{0}b", "$data", "'; DROP TABLE entries; --"])
  func `may have any text as its key`(key: String) async throws {
    let values = try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      try await defaults.set("v", forKey: key)
      return [try await defaults.value(forKey: key)]
    }
    #expect(values == ["v"])
  }

  @Test(
    arguments: [.real(.nan), .real(.infinity), .date(.infinity), ["$data": 1], [["$other": 1]]] as [PropertyListValue])
  func `without a wire form is refused before it leaves`(value: PropertyListValue) async throws {
    await #expect(throws: ExtensionError.self) {
      try await host.inWidget { try await $0.defaults(suiteName: group).set(value, forKey: "k") }
    }
  }

  struct Reading: Sendable, CustomTestStringConvertible {
    var stored: PropertyListValue?
    var integer = 0
    var double = 0.0
    var bool = false
    var string: String?
    var testDescription: String { stored.map { "\($0)" } ?? "nothing" }
  }

  /// What `UserDefaults` makes of each value.
  private static let readings: [Reading] = [
    Reading(stored: nil),
    Reading(stored: 7, integer: 7, double: 7, bool: true, string: "7"),
    Reading(stored: 0, string: "0"),
    Reading(stored: -2.75, integer: -2, double: -2.75, bool: true, string: "-2.75"),
    Reading(stored: .real(1e300), integer: 0, double: 1e300, bool: true, string: "1e+300"),
    Reading(stored: true, integer: 1, bool: true),
    Reading(stored: false),
    Reading(stored: "12", integer: 12, double: 12, string: "12"),
    Reading(stored: "1.5", double: 1.5, string: "1.5"),
    Reading(stored: "YES", bool: true, string: "YES"),
    Reading(stored: "yes", bool: true, string: "yes"),
    Reading(stored: "1", integer: 1, double: 1, bool: true, string: "1"),
    Reading(stored: "true", string: "true"),
    Reading(stored: [1]),
    Reading(stored: .data([1])),
  ]

  /// A list, a dictionary, bytes and a date are nothing else, in a snapshot as in the suite.
  @Test func `is of its own type where no other can be made of it`() async throws {
    let values: [String: PropertyListValue] = [
      "texts": ["a", "b"], "mixed": ["a", 1], "nothing": [], "dictionary": ["a": 1], "data": .data([7]),
      "date": .date(3.5), "half": 0.5, "zero": 0.0,
    ]
    let counts = ["texts": 2, "mixed": 2, "nothing": 0]
    let texts: [String: [String]] = ["texts": ["a", "b"], "nothing": []]
    let dictionary: [String: PropertyListValue] = ["a": 1]
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      try await defaults.setMany(values)
      let snapshot = try await defaults.snapshot()
      for key in values.keys.sorted() + ["absent"] {
        #expect(try await defaults.array(forKey: key)?.count == counts[key], "\(key)")
        #expect(try await defaults.stringArray(forKey: key) == texts[key], "\(key)")
        #expect(try await defaults.dictionary(forKey: key) == (key == "dictionary" ? dictionary : nil), "\(key)")
        #expect(try await defaults.data(forKey: key) == (key == "data" ? [7] : nil), "\(key)")
        #expect(try await defaults.date(forKey: key) == (key == "date" ? 3.5 : nil), "\(key)")
        #expect(try await defaults.float(forKey: key) == (key == "half" ? 0.5 : 0), "\(key)")
        #expect(try await defaults.bool(forKey: key) == (key == "half"), "\(key)")
        #expect(snapshot.array(forKey: key)?.count == counts[key] && snapshot.stringArray(forKey: key) == texts[key])
        #expect(snapshot.dictionary(forKey: key) == (key == "dictionary" ? dictionary : nil), "\(key)")
        #expect(snapshot.data(forKey: key) == (key == "data" ? [7] : nil), "\(key)")
        #expect(snapshot.date(forKey: key) == (key == "date" ? 3.5 : nil), "\(key)")
        #expect(snapshot.float(forKey: key) == (key == "half" ? 0.5 : 0), "\(key)")
        #expect(snapshot.bool(forKey: key) == (key == "half") && snapshot.value(forKey: key) == values[key], "\(key)")
      }
    }
  }

  @Test(arguments: readings)
  func `is converted by the typed getters`(reading: Reading) async throws {
    try await host.inWidget { context in
      let defaults = context.defaults(suiteName: group)
      if let stored = reading.stored { try await defaults.set(stored, forKey: "k") }
      #expect(try await defaults.integer(forKey: "k") == reading.integer)
      #expect(try await defaults.double(forKey: "k") == reading.double)
      #expect(try await defaults.bool(forKey: "k") == reading.bool)
      #expect(try await defaults.string(forKey: "k") == reading.string)
    }
  }
}
