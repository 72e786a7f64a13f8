import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

/// Which problems of manifests a bundle that is verified has, and how often.
@Suite(.timeLimit(.minutes(1))) struct `The problems of a bundle` {
  private let fixture: BundleFixture
  private var clock: String { "\(fixture.folder.path)/Notes.app/PlugIns/Clock.appex" }

  init() throws { fixture = try BundleFixture() }

  @Test func `include the warnings of its manifests`() throws {
    let found = try BundleVerification(
      fixture.write { $0.attributes = "<key>Shows</key><string>com.example.none</string>" })
    #expect(found.problems.map(\.message) == ["Nobody declares com.example.none."])
    #expect(found.problems.map(\.severity) == [.warning] && found.isAcceptable)
  }

  @Test func `tell once of a misspelt key, with what follows from it`() throws {
    let path = try fixture.write {
      $0.extensionKeys = "<key>Annex</key><dict><key>Interpretr</key><string>/bin/sh</string></dict>"
    }
    #expect(chmod("\(clock)/Clock", 0o644) == 0)
    let found = try BundleVerification(path).problems.filter { $0.keyPath == "Annex.Interpretr" }
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.message.hasPrefix("The key is not known, so nothing runs the script.") == true)
    #expect(found.first?.recovery == "Rename the key to Interpreter.")
  }

  @Test func `tell once that an executable is missing, an app's only as a warning`() throws {
    let path = try fixture.write()
    for file in ["\(path)/Notes", "\(clock)/Clock"] { try FileManager.default.removeItem(atPath: file) }
    let found = try BundleVerification(path)
    #expect(found.problems.map(\.severity) == [.warning, .error])
    #expect(found.problems.allSatisfy { $0.keyPath == "CFBundleExecutable" && $0.message.hasSuffix("does not exist.") })
    #expect(found.problems.map(\.file) == ["\(found.path)/Info.plist", "\(found.path)/PlugIns/Clock.appex/Info.plist"])
    #expect(!found.isAcceptable)
  }

  @Test func `are those of its own manifest, not of a bundle whose path is another spelling of an accent`() throws {
    let group = "group.com.example.notes"
    let key = "<key>com.apple.security.application-groups</key><array><string>\(group)</string></array>"
    let entitled = "<key>Entitlements</key><dict>\(key)</dict>"
    let paths = ["\u{E9}.app", "e\u{301}.app"].map { "\(fixture.folder.path)/\($0)" }
    for (path, keys) in zip(paths, [entitled, ""]) {
      let written = try fixture.write { $0.extensionKeys = keys }
      try #require(rename(written, path) == 0)
    }
    let entitledManifest = "\(paths[0])/PlugIns/Clock.appex/Info.plist"
    for order in [paths, [paths[1], paths[0]]] {
      let registry = ExtensionRegistry(RegistrySources(bundles: order))
      let invalid = registry.entries.filter { $0.state == .invalid }
      #expect(invalid.map { Array($0.manifestPath.utf8) } == [Array(entitledManifest.utf8)])
      #expect(invalid.first?.problems.contains { $0.message.contains("“\(group)”") } == true)
    }
  }

  @Test func `are none for an extension in its app, whose name begins with an accent`() throws {
    let path = try fixture.write()
    let accented = "\(path)/PlugIns/\u{301}Clock.appex"
    try #require(rename(clock, accented) == 0)
    let found = try BundleVerification(accented)
    #expect(found.entries.map(\.containingApp) == ["com.example.notes"])
    #expect(!found.problems.contains { $0.keyPath == "CFBundleIdentifier" })
  }

  @Test func `warn of an extension that may run every query, until it names them`() throws {
    let message = "It may run every persisted query of the configured server."
    let all = try BundleVerification(fixture.write { $0.entitlements = ["content"] })
    #expect(all.problems.filter { $0.message == message }.map(\.severity) == [.warning])
    let other = try BundleVerification(fixture.write { $0.entitlements = ["network"] })
    #expect(!other.problems.contains { $0.message == message })
  }
}
