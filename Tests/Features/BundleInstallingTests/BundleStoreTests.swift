import BundleSeals
import Cryptography
import ExtensionProtocol
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BundleInstalling
@testable import ExtensionHosting

/// A store that is given bundles from a folder, by two teams.
@Suite(.timeLimit(.minutes(2)))
struct `A store of bundles` {
  private let stage: IndexStage
  private let other: IndexStage
  private var store: BundleStore { stage.store }

  init() throws { (stage, other) = (try IndexStage(), try IndexStage()) }

  private func record() throws -> RegistryRecord { try RegistryRecord.load(from: store.recordPath) }

  private func team(_ stage: IndexStage) -> BundleTeam {
    BundleTeam(team: stage.certificate.team, name: stage.certificate.name)
  }

  /// Adds a bundle, and returns what was asked.
  @discardableResult
  private func add(_ bundle: String, agreeing: Bool = true) async throws -> (BundleStore.Installed, [BundleQuestion]) {
    let asked = Mutex<[BundleQuestion]>([])
    let installed = try await store.add(bundle) { question in
      asked.withLock { $0.append(question) }
      return agreeing
    }
    return (installed, asked.withLock { $0 })
  }

  @Test func `takes a bundle once, and the same one again for the same`() async throws {
    let bundle = try stage.bundle("1")
    for _ in 1...2 {
      let (installed, asked) = try await add(bundle)
      #expect(installed.identifier == IndexStage.app && installed.version == "1" && installed.replaced == nil)
      #expect(installed.team == team(stage) && asked == [] && installed.path.hasSuffix("/Tides.app"))
      let record = try record()
      #expect(record.bundles.map(\.path) == [installed.path] && record.teams == [IndexStage.app: team(stage)])
      #expect(record.approvals == [IndexStage.app: [], "\(IndexStage.app).clock": []] && record.handovers == [:])
      #expect(try await stage.installed() == "1")
    }
  }

  @Test func `forgets a bundle that does not start and came in place of nothing, again and again`() async throws {
    struct Trouble: Error {}
    let bundle = try stage.bundle("1")
    let before = try record()
    for _ in 1...2 {
      await #expect(throws: ExtensionError.self) {
        try await store.add(bundle, expecting: nil, trying: { _ in throw Trouble() }, deciding: { _ in true })
      }
      let after = try record()
      #expect(after.bundles.isEmpty && after.teams == before.teams && after.approvals == before.approvals)
      #expect(Folder.names(in: "\(store.state.path)/bundles").filter { $0 != "lock" } == [])
    }
    // One that is there already stays, when it does not start a second time.
    let (installed, _) = try await add(bundle)
    await #expect(throws: ExtensionError.self) {
      try await store.add(bundle, expecting: nil, trying: { _ in throw Trouble() }, deciding: { _ in true })
    }
    #expect(try record().bundles.map(\.path) == [installed.path] && Folder.isFolder(installed.path))
  }

  @Test func `replaces a version by a later one or its equal, and by none before`() async throws {
    try await add(stage.bundle("2"))
    let bundle = try stage.bundle("2")
    try File.replace("\(bundle)/PlugIns/Clock.appex/clock", with: Array("# corrected\n".utf8))
    try File.setMode("\(bundle)/PlugIns/Clock.appex/clock", 0o755)
    try stage.sign(bundle)
    #expect(try await add(bundle).0.replaced == "2")
    #expect(try await add(stage.bundle("2.0.1")).0.replaced == "2")
    let error = await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await add(stage.bundle("2")) }
    #expect(error?.message == "\(IndexStage.app) 2 is older than 2.0.1, which is installed.")
    #expect(try record().bundles.count == 1)
    #expect(try await stage.installed() == "2.0.1")
  }

  /// The seal is right, and the program that the manifest names is missing.
  @Test func `keeps no copy of a bundle that has errors, again and again`() async throws {
    try await add(stage.bundle("1"))
    let kept = Folder.names(in: "\(store.state.path)/bundles").sorted()
    let bundle = try stage.bundle("2")
    File.remove("\(bundle)/PlugIns/Clock.appex/clock")
    try stage.sign(bundle)
    for _ in 1...2 {
      let error = await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await add(bundle) }
      #expect(error?.message == "Tides.app was not installed: it has 1 error.")
      #expect(Folder.names(in: "\(store.state.path)/bundles").sorted() == kept)
      #expect(try await stage.installed() == "1")
    }
  }

  @Test func `asks before another team has the name, and leaves everything without an answer`() async throws {
    try await add(stage.bundle("2"))
    let asked = Mutex<[BundleQuestion]>([])
    let error = await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await store.add(other.bundle("1")) { question in
        asked.withLock { $0.append(question) }
        return false
      }
    }
    #expect(
      asked.withLock { $0 }
        == [.otherTeam(identifier: IndexStage.app, owner: team(stage), newcomer: team(other))])
    #expect(error?.message.hasPrefix("The bundle was not installed. \(IndexStage.app) belongs to ") == true)
    #expect(try record().teams == [IndexStage.app: team(stage)])
    #expect(try await stage.installed() == "2")
    // The version of before is no measure for another team.
    let (installed, _) = try await add(other.bundle("1"))
    #expect(installed.version == "1" && installed.replaced == nil && installed.team == team(other))
    let record = try record()
    #expect(record.bundles.map(\.path) == [installed.path] && record.teams == [IndexStage.app: team(other)])
    #expect(record.handovers == [:])
  }

  @Test func `puts the data of a team aside, and gives it back with the name`() async throws {
    let place = "\(stage.state.path)/containers/\(IndexStage.app).clock"
    func write(_ text: String) throws {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try File.replace("\(place)/data", with: Array(text.utf8))
    }
    func data() -> String? { try? String(contentsOfFile: "\(place)/data", encoding: .utf8) }
    try await add(stage.bundle("1"))
    try write("first")
    try await add(stage.bundle("2"))
    #expect(data() == "first")
    try await add(other.bundle("1"))
    #expect(data() == nil)
    try write("second")
    try await add(other.bundle("2"))
    #expect(data() == "second")
    try await add(stage.bundle("1"))
    #expect(data() == "first")
    try await add(other.bundle("2"))
    #expect(data() == "second")
  }

  @Test func `leaves a name to whoever comes next`() async throws {
    #expect(try await store.forgetTeam(of: IndexStage.app) == nil)
    try await add(stage.bundle("1"))
    #expect(try record().approvals[IndexStage.app] != nil)
    #expect(try await store.forgetTeam(of: IndexStage.app) == team(stage))
    let record = try record()
    #expect(record.approvals[IndexStage.app] == nil)
    #expect(record.bundles.isEmpty && record.teams.isEmpty && record.handovers.isEmpty)
    #expect(try await store.forgetTeam(of: IndexStage.app) == nil)
    let (installed, asked) = try await add(other.bundle("1"))
    #expect(installed.team == team(other) && asked == [])
  }

  @Test func `gives a name up for an unsigned bundle when somebody agrees`() async throws {
    try await store.release(IndexStage.app) { _ in
      Issue.record("the name is nobody's")
      return false
    }
    try await add(stage.bundle("1"))
    await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await store.release(IndexStage.app) { _ in false }
    }
    #expect(try record().teams == [IndexStage.app: team(stage)] && record().bundles.count == 1)
    let asked = Mutex<[BundleQuestion]>([])
    try await store.release(IndexStage.app) { question in
      asked.withLock { $0.append(question) }
      return true
    }
    let unsigned = BundleTeam(team: "", name: "unsigned")
    #expect(
      asked.withLock { $0 } == [.otherTeam(identifier: IndexStage.app, owner: team(stage), newcomer: unsigned)])
    #expect(try record().teams.isEmpty && record().bundles.isEmpty)
  }

  @Test func `gives no name up that another team has taken while somebody was asked`() async throws {
    try await add(stage.bundle("1"))
    let error = await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await store.release(IndexStage.app) { _ in
        try await add(other.bundle("1"))
        return true
      }
    }
    #expect(error?.message == "\(IndexStage.app) was installed by another team while you were asked.")
    let record = try record()
    #expect(record.teams == [IndexStage.app: team(other)] && record.bundles.count == 1 && record.handovers == [:])
    #expect(try await stage.installed() == "1")
  }

  @Test func `leaves a name with the root key that its team has named while somebody was asked`() async throws {
    let first = try await add(stage.bundle("1")).0
    let next = try Ed25519.PrivateKey.generate().publicKey
    let statement = try RootRotation(to: next, by: stage.root, at: stage.now)
    let second = try stage.bundle("2", annex: Self.network(["a.example.com"]))
    let error = await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await store.add(second) { _ in
        try await store.learn(statement.document)
        return true
      }
    }
    #expect(error?.message == "\(IndexStage.app) was handed over to another root key while you were asked.")
    let record = try record()
    #expect(record.teams[IndexStage.app]?.team == KeyFingerprint.of(next))
    #expect(record.bundles.map(\.path) == [first.path])
    #expect(record.approvals["\(IndexStage.app).clock"] == [], "what was asked for is not approved")
    #expect(Folder.names(in: "\(store.state.path)/bundles").count == 2, "the lock and the version of before")
  }

  @Test func `asks before a team has the name of an unsigned bundle that is used where it lies`() async throws {
    let local = stage.folder.file("local/Tides.app")
    try FileManager.default.createDirectory(atPath: local, withIntermediateDirectories: true)
    _ = try store.state.folder("bundles")
    try await RegistryRecord.update(at: store.recordPath) { record throws(ExtensionError) in
      try record.add(bundle: local, identifier: IndexStage.app)
    }
    await #expect(throws: ExtensionError(.permissionDenied, "")) { try await add(stage.bundle("1"), agreeing: false) }
    #expect(try record().bundles.map(\.signature) == [nil] && record().teams.isEmpty)
    let (installed, asked) = try await add(stage.bundle("1"))
    let unsigned = BundleTeam(team: "", name: "unsigned")
    #expect(asked == [.otherTeam(identifier: IndexStage.app, owner: unsigned, newcomer: team(stage))])
    #expect(try record().bundles.map(\.path) == [installed.path] && record().handovers == [:])
  }

  @Test func `keeps a version for a day from when another one took its place, or its team lost its name`()
    async throws
  {
    let first = try await add(stage.bundle("1")).0
    func age(_ installed: BundleStore.Installed) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -200_000)], ofItemAtPath: Folder.parent(of: installed.path))
    }
    try age(first)
    try await add(stage.bundle("2"))
    try await add(stage.bundle("3"))
    #expect(Folder.isFolder(first.path))
    try age(first)
    let last = try await add(stage.bundle("4")).0
    #expect(!Folder.isFolder(first.path))
    try age(last)
    _ = try await store.forgetTeam(of: IndexStage.app)
    try await add(other.bundle("1"))
    #expect(Folder.isFolder(last.path))
  }

  @Test func `ends what an interrupted change has begun before anything else`() async throws {
    try await add(stage.bundle("1"))
    let place = "\(store.state.path)/containers/\(IndexStage.app).clock"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try File.replace("\(place)/data", with: [1])
    let newcomer = team(other)
    try await RegistryRecord.update(at: store.recordPath) { record throws(ExtensionError) in
      record.beginHandover(of: IndexStage.app, to: newcomer)
    }
    #expect(try record().handovers == [IndexStage.app: team(stage).team])
    let nobody = try await store.forgetTeam(of: "org.example.other")
    #expect(nobody == nil && !Folder.isFolder(place))
    let record = try record()
    #expect(record.handovers == [:] && record.teams == [IndexStage.app: newcomer] && record.approvals == [:])
    let aside = "\(store.state.path)/other-teams/\(team(stage).team)"
    #expect(Folder.isFolder("\(aside)/containers/\(IndexStage.app).clock"))
    #expect(!Folder.names(in: aside).contains { $0.hasSuffix(".moved") })
  }

  /// What a manifest has to ask for servers.
  private static func network(_ hosts: [String]) -> String {
    let list = hosts.map { "<string>\($0)</string>" }.joined()
    return "<key>Network</key><array>\(list)</array><key>Entitlements</key><array><string>network</string></array>"
  }

  @Test func `asks once for what a version wants besides`() async throws {
    func wanting(_ hosts: [String], _ version: String) throws -> String {
      try stage.bundle(version, annex: Self.network(hosts))
    }
    let clock = "\(IndexStage.app).clock"
    #expect(try await add(wanting(["a.example.com"], "1")).1 == [], "the first version is what was agreed to")
    #expect(
      try await add(wanting(["a.example.com", "b.example.com"], "2")).1
        == [.moreCapabilities(identifier: clock, more: ["network b.example.com"], team: team(stage))])
    #expect(try await add(wanting(["b.example.com"], "3")).1 == [], "less is no question")
    #expect(
      try await add(wanting(["a.example.com", "b.example.com"], "4")).1
        == [.moreCapabilities(identifier: clock, more: ["network a.example.com"], team: team(stage))])
    await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await add(wanting(["a.example.com", "b.example.com", "c.example.com"], "5"), agreeing: false)
    }
    #expect(try await stage.installed() == "4")
  }

  @Test func `compares what an extension reaches with what the same one reached, and not its neighbour`() async throws {
    func pair(_ clock: String, _ other: String, _ version: String) throws -> String {
      let bundle = try stage.bundle(version, annex: Self.network([clock]))
      let (from, to) = ("\(bundle)/PlugIns/Clock.appex", "\(bundle)/PlugIns/Other.appex")
      try FileManager.default.copyItem(atPath: from, toPath: to)
      let text = try String(contentsOfFile: "\(from)/Info.plist", encoding: .utf8)
      let changed = text.replacing("\(IndexStage.app).clock", with: "\(IndexStage.app).other")
        .replacing(clock, with: other)
      try File.replace("\(to)/Info.plist", with: Array(changed.utf8))
      try stage.sign(bundle)
      return bundle
    }
    #expect(try await add(pair("a.example.com", "b.example.com", "1")).1 == [])
    #expect(try await add(pair("a.example.com", "b.example.com", "2")).1 == [], "each reaches what it did")
    #expect(
      try await add(pair("b.example.com", "a.example.com", "3")).1 == [
        .moreCapabilities(
          identifier: "\(IndexStage.app).clock", more: ["network b.example.com"], team: team(stage)),
        .moreCapabilities(
          identifier: "\(IndexStage.app).other", more: ["network a.example.com"], team: team(stage)),
      ])
  }

  @Test func `takes the good copy in place of one that was changed`() async throws {
    let bundle = try stage.bundle("1")
    let (installed, _) = try await add(bundle)
    let file = "\(installed.path)/PlugIns/Clock.appex/clock"
    try File.setMode("\(installed.path)/PlugIns/Clock.appex", 0o755)
    try File.replace(file, with: Array("evil".utf8))
    #expect(try await stage.installed() != "1")
    #expect(try await add(bundle).0.path == installed.path)
    #expect(try await stage.installed() == "1")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "# version 1\n")
  }

  @Test func `has what was approved before back when a version does not start, and nothing of that version`()
    async throws
  {
    struct Trouble: Error {}
    // The second version asks for a server, and has one extension more.
    let second = try stage.bundle("2", annex: Self.network(["a.example.com"]))
    let (from, to) = ("\(second)/PlugIns/Clock.appex", "\(second)/PlugIns/Other.appex")
    try FileManager.default.copyItem(atPath: from, toPath: to)
    let text = try String(contentsOfFile: "\(from)/Info.plist", encoding: .utf8)
    let changed = text.replacing("\(IndexStage.app).clock", with: "\(IndexStage.app).other")
    try File.replace("\(to)/Info.plist", with: Array(changed.utf8))
    try stage.sign(second)
    let kept = stage.folder.file("second/Tides.app")
    try FileManager.default.createDirectory(atPath: Folder.parent(of: kept), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: second, toPath: kept)
    try await add(stage.bundle("1"))
    let before = try record()
    for _ in 1...2 {
      let error = await #expect(throws: ExtensionError.self) {
        try await store.add(
          kept, expecting: nil,
          trying: { _ in
            // Until then the new version is the one that is used.
            let now = try record()
            #expect(now.approvals.keys.sorted() == ["", ".clock", ".other"].map { IndexStage.app + $0 })
            #expect(now.approvals["\(IndexStage.app).clock"]?.contains("network") == true)
            #expect(now.bundles.count == 1 && now.bundles != before.bundles)
            throw Trouble()
          }, deciding: { _ in true })
      }
      #expect(error?.details["rolledBack"] == true)
      #expect(error?.message.hasPrefix("\(IndexStage.app) 2 does not start, and 1 is used again. ") == true)
      #expect(try record() == before)
    }
    #expect(try await stage.installed() == "1")
    #expect(Folder.names(in: "\(store.state.path)/bundles").count == 2, "the lock and the version of before")
  }

  @Test func `leaves the name to another team whose version does not start, and nothing else`() async throws {
    struct Trouble: Error {}
    try await add(stage.bundle("1"))
    let error = await #expect(throws: ExtensionError.self) {
      try await store.add(other.bundle("1"), expecting: nil, trying: { _ in throw Trouble() }, deciding: { _ in true })
    }
    #expect(error != nil && error?.details["rolledBack"] == nil, "there is no way back")
    let record = try record()
    #expect(record.bundles.isEmpty && record.approvals.isEmpty && record.handovers.isEmpty)
    #expect(record.teams == [IndexStage.app: team(other)])
    #expect(Folder.names(in: "\(store.state.path)/bundles").count == 2, "the lock and the version of before")
  }

  @Test func `stamps what starts stand on: manifests, programs and libraries, and no other file`() async throws {
    let bundle = try stage.bundle("1")
    let files: [(name: String, mode: UInt32)] = [
      ("words", 0o644), ("a.so", 0o644), ("b.so.1", 0o644), ("c.sox", 0o644), ("tool", 0o755),
    ]
    for (name, mode) in files {
      try File.replace("\(bundle)/\(name)", with: [1])
      try File.setMode("\(bundle)/\(name)", mode)
    }
    try stage.sign(bundle)
    let (installed, _) = try await add(bundle)
    let stamps = try #require(try record().bundles.first?.signature?.stamps)
    let manifests = ["Info.plist", "PlugIns/Clock.appex/Info.plist"]
    #expect(Set(stamps.keys) == Set(manifests + ["PlugIns/Clock.appex/clock", "a.so", "b.so.1", "tool"]))
    for (name, stamp) in stamps { #expect(FileStamp("\(installed.path)/\(name)")?.text == stamp, "\(name)") }
  }
}
