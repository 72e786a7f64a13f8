import ExtensionProtocol
import PropertyList
import Testing

@testable import ExtensionHosting

/// An announced point at the last value of each bound, and at the one behind it.
@Suite(.timeLimit(.minutes(1))) struct `A bound of an announced point` {
  private let known = AnnouncedPoints.Known(points: .testing, contracts: [])

  private func points(_ annex: [String: PropertyListValue], identifier: String = "org.example.dots") -> AnnouncedPoints
  {
    let list: PropertyListValue = [
      identifier: ["Annex": .dictionary(["Name": "dots"].merging(annex) { _, new in new })]
    ]
    return AnnouncedPoints(PropertyListNode(list), file: "dots", beside: known)
  }

  private func methods(_ methods: [String: PropertyListValue]) -> AnnouncedPoints {
    points(["Methods": .dictionary(methods), "Version": "1.2"])
  }

  private func method(_ entry: PropertyListValue) throws -> (schema: MethodSchema, warnings: [String]) {
    let found = methods(["dots/draw": entry])
    return (try #require(found.points.first?.schemas["dots/draw"]), found.problems.map(\.message))
  }

  @Test(arguments: [
    "dots/a", "dots/!", "dots/~", "dots/a/b", "dots/\(String(repeating: "a", count: 95))",
  ])
  func `takes the name of a method`(name: String) {
    let found = methods([name: [:]])
    #expect(found.problems == [] && found.points.first?.schemas.methods.map(\.method) == [name])
  }

  @Test(arguments: [
    "dots/", "dots", "dot/a", "dotsa/a", "dots/a b", "dots/ ", "dots/\u{1F}", "dots/\u{7F}", "dots/é", "dots/e\u{301}",
    "dots/\(String(repeating: "a", count: 96))",
  ])
  func `refuses the name of a method`(name: String) {
    let found = methods([name: [:]])
    #expect(found.points.isEmpty && found.problems.map(\.severity) == [.error])
    #expect(found.problems.first?.message.hasSuffix("is outside of the prefix dots.") == true)
    #expect(found.problems.first?.recovery == "Begin its name with “dots/”.")
  }

  @Test func `is one of 500 methods`() {
    func made(_ count: Int) -> [String: PropertyListValue] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("dots/m\($0)", [:]) })
    }
    #expect(methods(made(500)).points.first?.schemas.methods.count == 500)
    let more = methods(made(501))
    #expect(more.points.isEmpty && more.problems.map(\.message) == ["There are 501 methods, more than 500."])
  }

  @Test func `is one of ten minutes for a method, and of an hour for its signs of life`() throws {
    let standard = try method(["LimitMs": 5])
    #expect(standard.schema.deadline == .standard)
    let most = try method(["DeadlineMs": 600_000, "LimitMs": 3_600_000])
    #expect(most.schema.deadline == RequestDeadline(hard: .seconds(600), limit: .seconds(3_600)))
    #expect(most.warnings == [])
    let more = try method(["DeadlineMs": 600_001, "LimitMs": 3_600_001])
    #expect(more.schema.deadline == most.schema.deadline && more.warnings.count == 2)
    #expect(more.warnings.allSatisfy { $0.contains("ms are more than an announced point gets") })
    let one = try method(["DeadlineMs": 1])
    #expect(one.schema.deadline == RequestDeadline(hard: .milliseconds(1)))
  }

  @Test func `is the version of the point for the version of a method`() throws {
    #expect(try method([:]).schema.since == .first)
    #expect(try method(["Since": "1.2"]).schema.since == PointVersion(1, 2))
    let newer = methods(["dots/draw": ["Since": "1.3"]])
    #expect(newer.points.isEmpty)
    #expect(newer.problems.map(\.message) == ["The method is newer than the point, which is of version 1.2."])
  }

  @Test func `is 120 bytes for what people read, without line breaks`() {
    for (text, isTaken) in [
      (String(repeating: "é", count: 60), true), (String(repeating: "é", count: 60) + "a", false), ("a b", true),
      ("a\u{1F}b", false), ("a\nb", false),
    ] {
      for key in ["Role", "Plural"] {
        let found = points([key: .string(text)])
        #expect((found.points.count == 1) == isTaken, "\(key) \(text)")
        if let definition = found.points.first?.definition {
          #expect((key == "Role" ? definition.role : definition.plural) == text)
        }
        #expect(found.problems.count == (isTaken ? 0 : 1))
      }
    }
    let plain = points([:]).points.first?.definition
    #expect(plain?.role == "for dots" && plain?.plural == "the extensions for dots")
  }

  @Test func `is what other points get at most, each limit by itself`() throws {
    let most = ExtensionLimits(memoryMiB: 256)
    let keys: [(key: String, limit: WritableKeyPath<ExtensionLimits, UInt64>, unit: UInt64)] = [
      ("MemoryMiB", \.memory, 1 << 20), ("Threads", \.threads, 1), ("Descriptors", \.descriptors, 1),
      ("FileMiB", \.fileSize, 1 << 20), ("ContainerMiB", \.containerSize, 1 << 20),
      ("ContainerFiles", \.containerFiles, 1),
    ]
    for (key, limit, unit) in keys {
      let bound = most[keyPath: limit] / unit
      for (number, warnings) in [(1, 0), (bound, 0), (bound + 1, 1)] as [(UInt64, Int)] {
        let found = points(["Profile": [key: .integer(Int64(number))]])
        var expected = most
        expected[keyPath: limit] = min(number, bound) * unit
        #expect(found.points.first?.definition.limits == expected, "\(key) \(number)")
        #expect(found.problems.map(\.severity) == Array(repeating: .warning, count: warnings))
      }
    }
  }

  @Test func `lowers the time between requests with that of a request, and raises none`() throws {
    let most = ExtensionLimits(memoryMiB: 256)
    let (request, idle) = (most.requestCPU.components.seconds, most.idleCPU.components.seconds)
    for seconds in [1, idle, idle + 1, request, request + 1] {
      let limits = try #require(points(["Profile": ["CPUSeconds": .integer(seconds)]]).points.first?.definition.limits)
      #expect(limits.requestCPU == min(most.requestCPU, .seconds(seconds)))
      #expect(limits.idleCPU == min(most.idleCPU, .seconds(seconds)))
    }
  }

  @Test func `is that of a hundred points in a file, and of one at least`() {
    func read(_ count: Int) -> AnnouncedPoints {
      let entries = (0..<count).map { number in
        ("org.example.p\(number)", ["Annex": ["Name": "p\(number)"]] as PropertyListValue)
      }
      let list = PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: entries))
      return AnnouncedPoints(PropertyListNode(list), file: "all", beside: known)
    }
    #expect(read(100).points.count == 100 && read(100).problems == [])
    for count in [0, 101] {
      #expect(read(count).points.isEmpty)
      #expect(read(count).problems.map(\.message) == ["The file is not a dictionary of extension points."])
    }
  }
}
