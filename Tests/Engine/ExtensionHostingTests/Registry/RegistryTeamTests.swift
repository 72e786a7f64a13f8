import ExtensionProtocol
import Files
import Foundation
import Testing

@testable import ExtensionHosting

/// The teams that identifiers belong to, and what they take back.
@Suite(.timeLimit(.minutes(1))) struct `A registry's record of teams` {
  private static let (one, two) = (BundleTeam(team: "one", name: "One"), BundleTeam(team: "two", name: "Two"))

  @Test func `follows the root key of a team to the one that took its place, again and again`() {
    var record = RegistryRecord()
    for (identifier, team) in [("c", Self.one), ("b", Self.two), ("a", Self.one)] { record.pin(identifier, to: team) }
    #expect(record.rotate("one", to: "three") == ["a", "c"])
    #expect(record.successors == ["one": "three"])
    let three = BundleTeam(team: "three", name: "One")
    #expect(record.teams == ["a": three, "b": Self.two, "c": three])
    #expect(record.rotate("three", to: "four") == ["a", "c"])
    #expect(record.successors == ["one": "four", "three": "four"])
    #expect(record.rotate("none", to: "five") == [])
    #expect(record.successors == ["one": "four", "three": "four", "none": "five"])
    #expect(record.teams.mapValues(\.team) == ["a": "four", "b": "two", "c": "four"])
    record.pin("b", to: nil)
    #expect(record.teams.keys.sorted() == ["a", "c"])
  }

  @Test func `knows whose data still lies under a name, until it is put aside`() {
    var record = RegistryRecord()
    let nobody = BundleTeam(team: "none", name: "no team yet")
    for (team, left) in [(Self.one, ""), (Self.two, "one"), (Self.one, "two")] {
      record.beginHandover(of: "app", to: team)
      #expect(record.handovers == ["app": left] && record.teams["app"] == team)
      #expect(RegistrySources(record: record).teams == ["app": nobody])
      record.endHandover(of: "other")
      #expect(record.handovers == ["app": left])
      // One that was interrupted is begun anew by somebody else: the data is still that of the first.
      record.beginHandover(of: "app", to: nobody)
      record.beginHandover(of: "app", to: team)
      #expect(record.handovers == ["app": left])
      record.endHandover(of: "app")
      #expect(record.handovers == [:] && RegistrySources(record: record).teams == ["app": team])
    }
  }

  @Test func `forgets an approval and a bundle alone, also one that is gone`() throws {
    let fixture = try BundleFixture()
    var record = RegistryRecord()
    let (one, two) = (try fixture.write("One.app"), try fixture.write("Two.app"))
    for (index, path) in [one, "\(two)/", "\(one)/../One.app"].enumerated() {
      try record.add(bundle: path, at: Double(index))
    }
    #expect(record.bundles.map(\.path) == [one, two] && record.bundles.map(\.added) == [2, 1])
    #expect(!record.remove(bundle: fixture.folder.path) && record.bundles.count == 2)
    let isRemoved = record.remove(bundle: "\(one)/../One.app/")
    #expect(isRemoved && record.bundles.map(\.path) == [two])
    try FileManager.default.removeItem(atPath: two)
    let isGone = record.remove(bundle: two)
    #expect(isGone && record.bundles.isEmpty)
    for name in ["a", "b"] { record.approve([name], for: name) }
    record.forgetApproval(of: "a")
    #expect(record.approvals == ["b": ["b"]])
  }

  @Test func `comes back from its file with all that it has`() async throws {
    let fixture = try BundleFixture()
    let path = try fixture.write()
    let file = "\(fixture.folder.path)/registry.json"
    var made = RegistryRecord()
    made.pin("a", to: Self.one)
    made.beginHandover(of: "b", to: Self.two)
    made.rotate("one", to: "three")
    made.revoke("key", of: "one", because: "It is lost.")
    made.elect(.ignore, for: "a")
    made.approve(["y", "x"], for: "a")
    try made.add(
      bundle: path, identifier: "a",
      signature: BundleSignature(team: "t", name: "T", key: "k", digest: "d", stamps: ["p": "s", "q": "r"]), at: 2.5)
    let kept = made
    try await RegistryRecord.update(at: file) { $0 = kept }
    #expect(try RegistryRecord.load(from: file) == made)
    #expect(made.revoked == ["one key": "It is lost."])
  }
}

/// A bundle as its record has it: signed, revoked, or somebody else's.
@Suite(.timeLimit(.minutes(1))) struct `A bundle of a team` {
  private static let (app, clock) = ("com.example.notes", "com.example.notes.clock")
  private let fixture: BundleFixture
  private let path: String
  private let signature: BundleSignature

  init() throws {
    let fixture = try BundleFixture()
    let path = try fixture.write()
    func stamp(_ name: String) throws -> String { try #require(FileStamp("\(path)/\(name)")).text }
    (self.fixture, self.path) = (fixture, path)
    signature = BundleSignature(
      team: "0123456789abcdef0123", name: "Example", key: "key", digest: "digest",
      stamps: [
        "Notes": try stamp("Notes"), "PlugIns/Clock.appex/Clock": try stamp("PlugIns/Clock.appex/Clock"),
        "PlugIns/Clock.appex/Info.plist": try stamp("PlugIns/Clock.appex/Info.plist"),
        "PlugIns/Clock.appexes/Other": "not in it",
      ])
  }

  private func registry(
    signed isSigned: Bool = true, _ change: (inout RegistryRecord) -> Void = { _ in }
  ) throws -> ExtensionRegistry {
    var record = RegistryRecord()
    try record.add(bundle: path, identifier: Self.app, signature: isSigned ? signature : nil, at: 7)
    change(&record)
    return ExtensionRegistry(RegistrySources(record: record))
  }

  private func entry(
    signed isSigned: Bool = true, _ change: (inout RegistryRecord) -> Void = { _ in }
  ) throws -> RegistryEntry {
    try #require(registry(signed: isSigned, change).entry(Self.clock))
  }

  @Test func `has the signature of the app around it, and of its files those that are below it`() throws {
    let found = try entry()
    #expect(found.isEnabled && found.signature == signature && found.modified == 7)
    #expect(found.origin == "Example (0123 4567 89ab cdef)")
    #expect(try entry(signed: false).verified == nil)
    let files = try #require(found.verified)
    #expect(
      files.stamps.keys.sorted() == ["Clock", "Info.plist"].map { "\(path)/PlugIns/Clock.appex/\($0)" })
    try files.check("Clock")
    for name in ["Info.plist", "Clock"] { try fixture.folder.write("Notes.app/PlugIns/Clock.appex/\(name)", "x".utf8) }
    let changed = #expect(throws: ExtensionError.self) { try files.check("Big Ben") }
    #expect(changed?.code == .extensionInvalid)
    #expect(changed?.details == ["changed": .string("\(path)/PlugIns/Clock.appex/Clock")], "the first one")
    let whole = VerifiedFiles(signature, of: path, below: path)
    #expect(whole.stamps.count == 4)
    // What is missing is another file, too.
    let missing = #expect(throws: ExtensionError.self) {
      try VerifiedFiles(signature, of: path, below: "\(path)/PlugIns/Clock.appexes").check("Big Ben")
    }
    #expect(missing?.details == ["changed": .string("\(path)/PlugIns/Clock.appexes/Other")])
  }

  @Test func `has its signature alone: a path that is another spelling of an accent is another bundle`() throws {
    let paths = ["\u{E9}.app", "e\u{301}.app"].map { "\(fixture.folder.path)/\($0)" }
    for path in paths { try #require(rename(fixture.write(), path) == 0) }
    var record = RegistryRecord()
    try record.add(bundle: paths[0], identifier: Self.app, signature: signature, at: 7)
    var sources = RegistrySources(record: record)
    sources.bundles.append(paths[1])
    let entries = ExtensionRegistry(sources).entries.filter { $0.identifier == Self.clock }
    #expect(entries.count == 2 && entries.count { $0.signature != nil } == 1)
  }

  @Test func `is not used when its team took back its digest or its key, and another team cannot`() throws {
    for (fingerprints, reason) in [
      (["digest"], "digest"), (["key"], "key"), (["key", "digest"], "digest"), (["other"], nil),
    ] as [([String], String?)] {
      let found = try entry { record in
        for fingerprint in fingerprints {
          record.revoke(fingerprint, of: signature.team, because: fingerprint)
          record.revoke("digest", of: "another team", because: "It says so.")
        }
      }
      #expect(found.state == (reason.map { .revoked(reason: $0) } ?? .enabled), "\(fingerprints)")
      guard let reason else { continue }
      #expect(found.tag == "!" && found.state.name == "revoked" && found.faults.isEmpty)
      #expect(found.reasons == ["Example (0123 4567 89ab cdef) revoked it: \(reason)"])
    }
  }

  @Test func `is not used under the name of another team, but by the successor of its own`() throws {
    let (own, other) = (
      BundleTeam(team: signature.team, name: "Example"), BundleTeam(team: "fedcba9876543210ff", name: "Other")
    )
    #expect(try entry { $0.pin(Self.app, to: own) }.isEnabled)
    for name in [Self.app, Self.clock] {
      let found = try entry { $0.pin(name, to: other) }
      #expect(found.state == .foreign(owner: other) && found.tag == "!" && found.state.name == "foreign")
      #expect(
        found.reasons == [
          "\(Self.clock) belongs to Other (fedc ba98 7654 3210), and this one is "
            + "signed by Example (0123 4567 89ab cdef)."
        ])
    }
    // The app's name counts for all that is in it.
    #expect(
      try entry {
        $0.pin(Self.app, to: own)
        $0.pin(Self.clock, to: other)
      }.isEnabled)
    let unsigned = try entry(signed: false) { $0.pin(Self.app, to: own) }
    #expect(unsigned.reasons.first?.hasSuffix("and this one is unsigned, local.") == true)
    #expect(unsigned.origin == "unsigned, local")
    #expect(try entry(signed: false) { $0.pin(Self.app, to: BundleTeam(team: "", name: "")) }.isEnabled)
    let rotated = try entry {
      $0.pin(Self.app, to: own)
      $0.rotate(signature.team, to: "new")
    }
    #expect(rotated.isEnabled && rotated.signature?.team == signature.team)
  }

  @Test func `says what to do about each state that keeps it from use`() throws {
    let other = BundleTeam(team: "x", name: "Other")
    for (change, code, state, recovery) in [
      ({ $0.elect(.ignore, for: Self.clock) }, .permissionDenied, "ignored", "RegistryRecord.elect"),
      ({ $0.pin(Self.app, to: other) }, .permissionDenied, "foreign", "host add"),
      (
        { $0.revoke("key", of: signature.team, because: "r") }, .permissionDenied, "revoked",
        "host remove \(Self.clock)"
      ),
    ] as [((inout RegistryRecord) -> Void, ExtensionError.Code, String, String)] {
      let error = #expect(throws: ExtensionError.self) { try registry(change).enabledExtension(Self.clock) }
      #expect(error?.code == code && error?.details["state"] == .string(state))
      #expect(error?.recovery?.contains(recovery) == true, "\(error?.recovery ?? "")")
      #expect(error?.message.hasPrefix("The extension \(Self.clock) cannot be used: ") == true)
    }
    try FileManager.default.removeItem(atPath: "\(path)/PlugIns/Clock.appex/Clock")
    let missing = #expect(throws: ExtensionError.self) { try registry().enabledExtension(Self.clock) }
    #expect(missing?.code == .extensionInvalid && missing?.recovery == "Put the executable there, or build it.")
    #expect(missing?.details["id"] == .string(Self.clock) && missing?.details["reasons"]?.arrayValue?.count == 1)
  }
}
