import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A bundle that was added` {
  private let fixture: BundleFixture
  private static let clock = "com.example.notes.clock"

  init() throws { fixture = try BundleFixture() }

  private func registry(_ record: RegistryRecord) -> ExtensionRegistry {
    ExtensionRegistry(RegistrySources(record: record))
  }

  @Test func `is listed, and named when its files are gone`() throws {
    var record = RegistryRecord()
    let path = try fixture.write()
    try record.add(bundle: path, identifier: "com.example.notes")
    #expect(registry(record).extensions.map(\.identifier) == [Self.clock])
    try FileManager.default.removeItem(atPath: path)
    let entry = try #require(registry(record).entry("com.example.notes"))
    #expect(entry.state.name == "missing" && entry.tag == "!" && entry.reasons[0].contains("not there any more"))
  }

  @Test func `among equal versions is used when it is the newest`() throws {
    var record = RegistryRecord()
    let one = try fixture.write("One.app")
    let two = try fixture.write("Two.app")
    try record.add(bundle: one, at: 100)
    try record.add(bundle: two, at: 200)
    #expect(registry(record).entry(Self.clock)?.bundlePath?.hasPrefix(two) == true)
    try record.add(bundle: one, at: 300)
    let now = registry(record)
    #expect(now.entry(Self.clock)?.bundlePath?.hasPrefix(one) == true)
    #expect(now.entries.filter { $0.identifier == Self.clock }.map(\.tag).sorted() == [" ", "="])
    #expect(record.bundles.count == 2)
  }

  @Test func `gives way to a higher version, and keeps its election`() throws {
    var record = RegistryRecord()
    try record.add(bundle: fixture.write("Old.app") { $0.version = "1.9" }, at: 300)
    try record.add(bundle: fixture.write("New.app") { $0.version = "1.10" }, at: 100)
    #expect(registry(record).entry(Self.clock)?.manifest?.version.text == "1.10")
    #expect(registry(record).newest(Self.clock)?.manifest?.version.text == "1.10")
    record.elect(.ignore, for: Self.clock)
    #expect(registry(record).entry(Self.clock)?.tag == "-")
  }

  @Test func `waits for approval when it asks for more, while the old one stays in use`() throws {
    var record = RegistryRecord()
    try record.add(bundle: fixture.write("Old.app"), at: 100)
    for entry in registry(record).entries { record.approve(entry.capabilities, for: entry.identifier) }
    try record.add(
      bundle: fixture.write("New.app") {
        $0.version = "2"
        $0.entitlements = ["content", "defaults"]
      }, at: 200)
    let before = registry(record)
    #expect(before.entry(Self.clock)?.manifest?.version.text == "1")
    let waiting = try #require(before.newest(Self.clock))
    #expect(waiting.state == .unapproved(asks: ["content", "defaults"]) && waiting.tag == "?")
    record.approve(waiting.capabilities, for: Self.clock)
    let after = registry(record)
    #expect(after.entry(Self.clock)?.manifest?.version.text == "2")
    #expect(after.events(since: before).map(\.kind) == [.replaced])
    #expect(before.events(since: ExtensionRegistry(RegistrySources())).map(\.kind).contains(.unapproved))
  }

  @Test func `that alone waits is refused with the way to approve it`() throws {
    var record = RegistryRecord()
    try record.add(bundle: fixture.write { $0.entitlements = ["content"] })
    record.approve([], for: Self.clock)
    let error = #expect(throws: ExtensionError.self) { try registry(record).enabledExtension(Self.clock) }
    #expect(error?.code == .permissionDenied)
    #expect(error?.recovery?.contains("RegistryRecord.approve") == true)
  }

  @Test func `is told of when it comes and when it goes`() throws {
    var record = RegistryRecord()
    let nothing = registry(record)
    try record.add(bundle: fixture.write())
    let something = registry(record)
    #expect(something.events(since: nothing).map(\.kind) == [.added, .added, .enabled, .enabled])
    #expect(nothing.events(since: something).map(\.kind) == [.disabled, .disabled, .removed, .removed])
    #expect(something.events(since: something).isEmpty)
  }

  @Test func `that waits is told of once, and again when it asks for something else`() throws {
    var record = RegistryRecord()
    try record.add(bundle: fixture.write { $0.entitlements = ["content"] })
    record.approve([], for: Self.clock)
    let first = registry(record)
    #expect(first.events(since: first).isEmpty && registry(record).events(since: first).isEmpty)
    try fixture.write { $0.entitlements = ["content", "defaults"] }
    let events = registry(record).events(since: first)
    #expect(events.map(\.kind) == [.unapproved] && events.map(\.identifier) == [Self.clock])
    #expect(events.first?.reasons == ["It asks for more than was approved: content, defaults."])
  }

  @Test func `keeps what it was approved for in its file`() async throws {
    let file = "\(fixture.folder.path)/registry.json"
    let path = try fixture.write()
    try await RegistryRecord.update(at: file) { record throws(ExtensionError) in
      try record.add(bundle: path, identifier: "com.example.notes", at: 12.5)
      record.approve(["content", "group.com.example.notes"], for: Self.clock)
    }
    let record = try RegistryRecord.load(from: file)
    #expect(record.bundles.map(\.added) == [12.5] && record.bundles.map(\.identifier) == ["com.example.notes"])
    #expect(record.approvals == [Self.clock: ["content", "group.com.example.notes"]])
  }

  @Test(
    arguments: [
      ("com.example.note", "com.example.note", "conforms to itself", ManifestProblem.Severity.error),
      ("com.example.note", "com.example.other", "which no app declares", .warning),
      ("public.note", "public.text", "one of the system's types", .error),
      ("note", "public.text", "not a type", .error),
    ])
  func `declares types that hold together`(
    type: String, parent: String, message: String, severity: ManifestProblem.Severity
  ) throws {
    let path = try fixture.write {
      $0.extensionKeys = """
        <key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key><string>\(type)</string>
        <key>UTTypeConformsTo</key><array><string>\(parent)</string></array></dict></array>
        """
    }
    let entry = try #require(ExtensionRegistry(RegistrySources(bundles: [path])).newestOrLast(Self.clock))
    let problem = try #require(entry.problems.first { $0.message.contains(message) })
    #expect(problem.severity == severity)
    #expect(entry.isEnabled == (severity == .warning))
  }
}

extension ExtensionRegistry {
  fileprivate func newestOrLast(_ identifier: String) -> RegistryEntry? { newest(identifier) ?? entry(identifier) }
}
