import ExtensionProtocol
import Foundation
import Testing

@testable import ExtensionHosting

/// What a registry finds by an identifier, a scheme or a name, where there are several.
@Suite(.timeLimit(.minutes(1))) struct `What a registry is asked for` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["app", "clock"] { try folder.writeExecutable("products/\(name)") }
  }

  private func write(
    _ file: String, _ id: String, version: String = "1", isApp: Bool = false, executable: String? = nil,
    _ keys: String = ""
  ) throws {
    let section = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>\(ExtensionPoint.clock.rawValue)</string></dict>
      """
    try folder.write(
      "Manifests/\(file).plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleExecutable</key><string>\(executable ?? (isApp ? "app" : "clock"))</string>
      <key>CFBundlePackageType</key><string>\(isApp ? "APPL" : "XPC!")</string>
      <key>CFBundleVersion</key><string>\(version)</string>\(keys)\(isApp ? "" : section)</dict></plist>
      """.utf8)
  }

  private func registry(_ elections: [String: Election] = [:]) -> ExtensionRegistry {
    ExtensionRegistry(
      RegistrySources(
        manifestFolders: [.init(path: "\(folder.path)/Manifests", products: "\(folder.path)/products")],
        elections: elections))
  }

  private func names(_ entry: RegistryEntry?) -> String? {
    entry.map { ($0.manifestPath as NSString).lastPathComponent }
  }

  @Test func `is at most three names that are spelt or end nearly the same, each once`() throws {
    for id in ["g.h.clock", "a.b.clock", "e.f.clock", "c.d.clock", "a.b.dial"] { try write(id, id) }
    try write("app", "a.b.clocks", isApp: true)
    let registry = registry()
    #expect(registry.nearMisses(of: "clok") == ["a.b.clock", "c.d.clock", "e.f.clock"])
    #expect(registry.nearMisses(of: "g.h.clok") == ["g.h.clock", "a.b.clock", "c.d.clock"])
    #expect(registry.nearMisses(of: "x.y.dail") == ["a.b.dial"] && registry.nearMisses(of: "") == [])
    let error = #expect(throws: ExtensionError.self) { try registry.enabledExtension("x.y.dail") }
    #expect(error?.details["nearMisses"] == ["a.b.dial"] && error?.recovery == "Did you mean a.b.dial?")
    let app = #expect(throws: ExtensionError.self) { try registry.enabledExtension("a.b.clocks") }
    #expect(app?.code == .extensionUnknown)
  }

  @Test func `may be in a manifest that cannot be read, which is told where nothing is nearer`() throws {
    try write("app", "com.example.notes", isApp: true)
    try write("clock", "com.example.notes.clock")
    try folder.write("Manifests/broken.plist", "<plist>\n<dict>\n<key>CFBundle".utf8)
    let registry = registry()
    let unknown = #expect(throws: ExtensionError.self) { try registry.enabledExtension("zebra") }
    let problem = try #require(registry.entry("broken.plist")?.problems.first)
    let place = "\(folder.path)/Manifests/broken.plist:\(try #require(problem.line))"
    #expect(
      unknown?.recovery
        == "A manifest cannot be read, which may be the one that you mean: \(place). \(problem.recovery)")
    let near = #expect(throws: ExtensionError.self) { try registry.enabledExtension("clok") }
    #expect(near?.recovery == "Did you mean com.example.notes.clock?")
    let broken = #expect(throws: ExtensionError.self) { try registry.enabledExtension("broken.plist") }
    #expect(broken?.message.hasPrefix("The extension broken.plist is there, but cannot be used: ") == true)
    #expect(broken?.code == .extensionInvalid && broken?.recovery?.isEmpty == false)
  }

  @Test func `is the one in use, else one that a decision keeps from it, else the last`() throws {
    try write("app", "com.example.notes", isApp: true)
    let id = "com.example.notes.clock"
    try write("a", id, version: "2")
    try write("b", id, version: "3", executable: "none")
    try write("c", id, version: "1")
    #expect(names(registry().entry(id)) == "a.plist" && names(registry().newest(id)) == "b.plist")
    #expect(
      registry().entries.filter { $0.identifier == id }.map(\.state.name) == ["enabled", "missing", "superseded"])
    let ignoring = registry([id: .ignore])
    #expect(names(ignoring.entry(id)) == "a.plist" && ignoring.entry(id)?.state == .ignored)
    for file in ["a", "c"] { try write(file, id, executable: "none") }
    #expect(names(registry().entry(id)) == "c.plist")
    // Of equal versions the newest file counts.
    for (file, time) in [("a", 3.0), ("b", 1), ("c", 2)] {
      try write(file, id, version: "4")
      try folder.setModified("Manifests/\(file).plist", 1_000_000_000 + time)
    }
    #expect(names(registry().entry(id)) == "a.plist" && names(registry().newest(id)) == "a.plist")
    #expect(registry().entry("com.example.none") == nil && registry().newest("com.example.none") == nil)
    // And of files of one moment the one with the later name.
    for file in ["a", "b", "c"] { try folder.setModified("Manifests/\(file).plist", 1_000_000_000) }
    #expect(names(registry().entry(id)) == "c.plist")
  }

  @Test func `is the app that can be used, else one that can be read, else any`() throws {
    try write("clock", "com.example.notes.clock")
    try write("a", "com.example.notes", version: "3", isApp: true, executable: "none")
    try write("b", "com.example.notes", version: "2", isApp: true)
    func app() throws -> String? {
      let registry = registry()
      return names(registry.containingApp(of: try #require(registry.entry("com.example.notes.clock"))))
    }
    #expect(try app() == "b.plist")
    try write("b", "com.example.notes", isApp: true, executable: "none")
    #expect(try app() == "a.plist")
    let scheme = """
      <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>Notes</string></array>
      </dict></array>
      """
    for id in ["com.example.two", "com.example.one", "com.example.three"] {
      try write(id, id, isApp: true, executable: id.hasSuffix("one") ? "none" : nil, scheme)
    }
    let several = registry()
    #expect(several.app(forScheme: "nOtes")?.identifier == "com.example.three")
    #expect(several.apps.map(\.identifier) == ["com.example.three", "com.example.two"])
  }

  @Test func `is what a start needs, of an extension as of an app`() throws {
    let groups = """
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>group.com.example.notes</string></array></dict>
      """
    let annex = """
      <key>Annex</key><dict><key>Entitlements</key><array><string>weather</string></array>
      <key>Limits</key><dict><key>Threads</key><integer>3</integer></dict></dict>
      """
    try write("app", "com.example.notes", version: "7", isApp: true, groups)
    try write("clock", "com.example.notes.clock", version: "7", groups + annex)
    let clock = try registry().launchTarget("com.example.notes.clock")
    #expect(clock.identity.id == "com.example.notes.clock" && clock.identity.containingApp == "com.example.notes")
    #expect(clock.identity.point == .clock && clock.identity.version == "7")
    #expect(clock.identity.groups == ["group.com.example.notes"] && clock.identity.entitlements == ["weather"])
    #expect(clock.executable.hasSuffix("/products/clock") && clock.limits.threads == 3)
    #expect(clock.manifest == "\(folder.path)/Manifests/clock.plist" && clock.interpreter == nil)
    let app = try registry().launchTarget("com.example.notes")
    #expect(app.identity.id == "com.example.notes" && app.identity.containingApp == "com.example.notes")
    #expect(app.identity.point == .containingApp && app.identity.groups == ["group.com.example.notes"])
    #expect(app.executable.hasSuffix("/products/app") && app.identity.entitlements == [])
    // The version for people comes before the one that is compared.
    let short = "<key>CFBundleShortVersionString</key><string>1.7 beta</string>"
    try write("clock", "com.example.notes.clock", version: "8", short)
    let newer = try registry().launchTarget("com.example.notes.clock")
    #expect(newer.identity.version == "1.7 beta" && newer.identity.groups == [] && newer.limits == Manifest.Limits())
    let unknown = #expect(throws: ExtensionError.self) { try registry().launchTarget("com.example.notes.dial") }
    #expect(unknown?.code == .extensionUnknown)
  }

  @Test func `has changed where another version or another file is used, and nowhere else`() throws {
    try write("app", "com.example.notes", isApp: true)
    try write("clock", "com.example.notes.clock")
    let first = registry()
    #expect(first == registry() && first.hashValue == registry().hashValue)
    try write("clock", "com.example.notes.clock", version: "2")
    let second = registry()
    #expect(second.changes(since: first).map(\.kind) == [.replaced] && second != first)
    try folder.writeExecutable("products/other")
    try write("clock", "com.example.notes.clock", version: "2", executable: "other")
    #expect(registry().changes(since: second).map(\.kind) == [.replaced])
    try write("clock", "com.example.notes.clock", version: "2", executable: "none")
    let broken = registry().changes(since: second)
    #expect(
      broken.map(\.kind) == [.disabled] && broken.first?.reasons == registry().entry("com.example.notes.clock")?.reasons
    )
    try write("another", "com.example.notes.aaa")
    try FileManager.default.removeItem(atPath: "\(folder.path)/Manifests/clock.plist")
    let events = registry().events(since: second)
    #expect(
      events.map { "\($0.kind.rawValue) \($0.identifier)" } == [
        "added com.example.notes.aaa", "enabled com.example.notes.aaa", "disabled com.example.notes.clock",
        "removed com.example.notes.clock",
      ])
    #expect(events.allSatisfy { $0.reasons == [] })
  }
}
