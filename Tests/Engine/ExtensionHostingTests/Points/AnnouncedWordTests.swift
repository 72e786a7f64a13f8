import ExtensionProtocol
import PropertyList
import Testing

@testable import ExtensionHosting

/// The names and words of an announced point, and what holds without them.
@Suite(.timeLimit(.minutes(1))) struct `What an announced point says of itself` {
  private let known = AnnouncedPoints.Known(points: .testing, contracts: [])

  private func read(_ list: PropertyListValue) -> AnnouncedPoints {
    AnnouncedPoints(PropertyListNode(list), file: "dots", beside: known)
  }

  private func points(_ annex: [String: PropertyListValue]) -> AnnouncedPoints {
    read(["org.example.dots": ["Annex": .dictionary(["Name": "dots"].merging(annex) { _, new in new })]])
  }

  private func definition(_ annex: [String: PropertyListValue]) throws -> ExtensionPointDefinition {
    let found = points(annex)
    #expect(found.problems == [])
    return try #require(found.points.first).definition
  }

  private func refusals(_ annex: [String: PropertyListValue]) -> [String] {
    let found = points(annex)
    #expect(found.points.isEmpty && found.problems.allSatisfy { $0.severity == .error && !$0.recovery.isEmpty })
    return found.problems.map(\.message)
  }

  @Test func `is little where it says nothing`() throws {
    let plain = try definition([:])
    #expect(plain.point.rawValue == "org.example.dots" && plain.shortName == "dots" && plain.prefix == "dots")
    #expect(plain.version == .first && plain.position == 2_000 && plain.limits == ExtensionLimits(memoryMiB: 256))
    #expect(plain.reuse == .never && plain.groups == .readWrite && !plain.takesItems)
    #expect(plain.services == nil && plain.permissions == nil && plain.commonCalls.isEmpty)
    #expect(plain.calls.isEmpty && plain.access.isEmpty && plain.manifest.keys.isEmpty)
  }

  @Test func `is one of some words`() throws {
    for (word, reuse) in [("reuse", .reuse), ("once", .once), ("never", .never)]
      as [(PropertyListValue, ExtensionPointDefinition.Reuse)]
    {
      #expect(try definition(["Profile": ["Reuse": word]]).reuse == reuse)
    }
    for (word, groups) in [("readWrite", .readWrite), ("readOnlyWithoutOpenAccess", .readOnlyWithoutOpenAccess)]
      as [(PropertyListValue, ExtensionPointDefinition.GroupAccess)]
    {
      #expect(try definition(["Profile": ["Groups": word]]).groups == groups)
    }
    #expect(try definition(["Profile": ["TakesItems": true]]).takesItems)
    #expect(try definition(["Services": [], "Permissions": ["auth", "jit"]]).permissions == ["auth", "jit"])
    #expect(try definition(["Services": []]).services?.isEmpty == true)
    let wrong = points(["Profile": ["Reuse": "Once", "Groups": "all"]])
    #expect(wrong.points.isEmpty)
    #expect(wrong.problems.map(\.message) == ["“Once” is not known here.", "“all” is not known here."])
    #expect(
      wrong.problems.map(\.recovery) == [
        "Use one of reuse, once, never.", "Use one of readWrite, readOnlyWithoutOpenAccess.",
      ])
  }

  @Test(arguments: ["Name", "Prefix"]) func `is a name of forty letters at most, and of nobody else`(key: String) throws
  {
    let longest = String(repeating: "a", count: 40)
    for name in ["a", "a-1", "dots2", longest] {
      let found = try definition([key: .string(name)])
      #expect(found.prefix == name && found.shortName == (key == "Name" ? name : "dots"))
    }
    for name in ["A", "1a", "-a", "a b", "a_b", "é", "a/", longest + "a"] {
      #expect(refusals([key: .string(name)]) == ["“\(name)” is not one word."])
    }
    for name in [
      "clock", "sender", "initialize", "initialized", "terminate", "permissions", "wire", "host", "extension",
    ] {
      #expect(
        refusals([key: .string(name)]) == ["“\(name)” is the name of something that this host has itself."])
    }
  }

  @Test func `is what the host calls, unless the extension does`() throws {
    let found = points([
      "Version": "1.3",
      "Methods": [
        "dots/d": [:], "dots/b": ["Caller": "extension", "Result": [:]], "dots/c": ["Caller": "either"],
        "dots/a": ["Caller": "host", "Result": [:], "Since": "1.3"], "dots/e": ["Result": [:], "Optional": true],
      ],
    ])
    let point = try #require(found.points.first)
    #expect(
      found.problems == [] && point.schemas.methods.map(\.method) == ["a", "b", "c", "d", "e"].map { "dots/\($0)" })
    #expect(point.schemas.methods.map(\.caller) == [.host, .extension, .either, .host, .host])
    let calls = point.definition.calls
    #expect(calls.map(\.method) == ["dots/a", "dots/c", "dots/d", "dots/e"])
    #expect(calls.map(\.isNotification) == [false, true, true, false])
    #expect(calls.map(\.isOptional) == [false, true, true, true])
    #expect(calls.map(\.since) == [PointVersion(1, 3), .first, .first, .first])
    #expect(refusals(["Methods": ["dots/a": ["Caller": "nobody"]]]) == ["“nobody” is not known here."])
  }

  @Test func `is what changes hands with a call`() throws {
    let kinds: [(String, HostCall.Transfer)] = [
      ("fileIn", .fileIn("m")), ("folderIn", .folderIn("m")), ("streamIn", .streamIn("m")), ("itemsIn", .itemsIn("m")),
      ("fileOut", .fileOut("m")), ("streamOut", .streamOut("m")), ("itemsOut", .itemsOut("m")),
    ]
    let all = kinds.map { ["Kind": .string($0.0), "Member": "m"] as PropertyListValue }
    let calls = try definition(["Methods": ["dots/a": ["Transfers": .array(all)]]]).calls
    #expect(calls.map(\.transfers) == [kinds.map(\.1)])
    func refused(_ transfer: PropertyListValue) -> [String] {
      refusals(["Methods": ["dots/a": ["Transfers": [transfer]]]])
    }
    #expect(refused(["Kind": "filein", "Member": "m"]) == ["“filein” is nothing that changes hands."])
    #expect(refused(["Kind": "fileIn"]) == ["The key is missing."])
    #expect(refused(["Member": "m"]) == ["The key is missing."])
  }

  @Test func `is what its manifests have`() throws {
    let keys = try definition([
      "Manifest": [
        ["Key": "Draft", "Type": "bool", "Places": ["section"], "Required": true], ["Key": "NXAny"],
        ["Key": "Both", "Type": "strings", "Places": ["attributes", "section"]],
        ["Key": .string(String(repeating: "k", count: 101)), "Type": "dictionary", "Places": ["attributes"]],
      ]
    ]).manifest.keys
    #expect(keys.map(\.name) == ["Draft", "NXAny", "Both", String(repeating: "k", count: 100)])
    #expect(keys.map(\.type) == [.bool, .any, .strings, .dictionary])
    #expect(keys.map(\.places) == [.section, .attributes, [.attributes, .section], .attributes])
    #expect(keys.map(\.isRequired) == [true, false, false, false])
    for beginning in ["NS", "CF", "UI", "UT", "EX", "PH"] {
      #expect(
        refusals(["Manifest": [["Key": .string("\(beginning)x")]]])
          == ["The key “\(beginning)x” is named as Apple's keys are."])
    }
    #expect(refusals(["Manifest": [["Type": "bool"]]]) == ["The key is missing."])
    #expect(
      refusals(["Manifest": [["Key": "a", "Type": "text", "Places": ["top"]]]])
        == ["“text” is not known here.", "“top” is not known here."])
  }

  @Test func `is its own among others`() {
    let other: PropertyListValue = ["Annex": ["Name": "others"]]
    for (annex, isOwn) in [
      (["Name": "dots"], true), (["Name": "others"], false), (["Name": "dots", "Prefix": "others"], false),
    ] as [(PropertyListValue, Bool)] {
      let found = read(["org.example.a": other, "org.example.b": ["Annex": annex]])
      #expect(found.points.count == (isOwn ? 2 : 1) && found.problems.count == (isOwn ? 0 : 1))
      #expect(
        found.problems.allSatisfy { $0.message.hasPrefix("The point has an identifier, a name or a prefix of org.") })
      #expect(found.table(with: .testing).points.count == 2 + found.points.count)
    }
  }

  @Test func `is a dictionary`() {
    let none = read(["org.example.dots": ["Other": 1]])
    #expect(none.points.isEmpty && none.problems.map(\.message) == ["The point has no dictionary Annex."])
    let text = read(["org.example.dots": ["Annex": "text"]])
    #expect(text.points.isEmpty)
    #expect(text.problems.map(\.message) == ["The value is of type string, not dictionary."])
    #expect(points(["Name": ""]).problems.map(\.message) == ["The string is empty."])
  }
}
