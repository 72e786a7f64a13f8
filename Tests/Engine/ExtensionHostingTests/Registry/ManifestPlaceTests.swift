import ExtensionHosting
import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A problem between manifests` {
  private let fixture: BundleFixture

  init() throws { fixture = try BundleFixture() }

  private func problem(_ change: (inout BundleFixture.Options) -> Void) throws -> ManifestProblem {
    let path = try fixture.write("Notes.app", change)
    let registry = ExtensionRegistry(RegistrySources(bundles: [path]))
    let problems = registry.entries.flatMap(\.problems)
    #expect(problems.count == 1)
    return try #require(problems.first)
  }

  @Test func `of identifiers names the line and the key path`() throws {
    let found = try problem { $0.extensionID = "com.example.mail.clock" }
    #expect(found.keyPath == "CFBundleIdentifier" && found.line == 2 && found.severity == .error)
  }

  @Test func `of app groups names the line and the key path`() throws {
    let found = try problem {
      $0.extensionKeys = """
        \n<key>Entitlements</key><dict><key>com.apple.security.application-groups</key><array>
        <string>group.com.example.notes</string></array></dict>
        """
    }
    #expect(found.keyPath == "Entitlements[\"com.apple.security.application-groups\"][0]")
    #expect(found.line == 8 && found.message.contains("is not entitled to the group"))
  }

  @Test func `of declared types names the line and the key path`() throws {
    let found = try problem {
      $0.extensionKeys = """
        \n<key>UTImportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key><string>com.example.a</string>
        <key>UTTypeConformsTo</key><string>com.example.a</string></dict></array>
        """
    }
    #expect(found.keyPath == "UTImportedTypeDeclarations[0].UTTypeConformsTo" && found.line == 8)
  }

  @Test func `of a file for preprocessing names the line and the key path`() throws {
    let found = try problem {
      $0.point = "com.example.points.sender"
      $0.attributes = """
        <key>NSExtensionActivationRule</key>
        <dict><key>NSExtensionActivationSupportsWebPageWithMaxCount</key><integer>1</integer></dict>
        <key>Script</key>
        <string>Page</string>
        """
    }
    #expect(found.keyPath == "NSExtension.NSExtensionAttributes.Script")
    #expect(found.line == 11 && found.message == "The bundle has no file “Page.js”.")
  }

  @Test func `of an extension without its app's bundle is found as well`() throws {
    let path = try fixture.write {
      $0.point = "com.example.points.sender"
      $0.attributes = """
        <key>NSExtensionActivationRule</key><string>FALSEPREDICATE</string>
        <key>Script</key><string>Page</string>
        """
    }
    let alone = ExtensionRegistry(RegistrySources(bundles: ["\(path)/PlugIns/Clock.appex"]))
    let messages = alone.entries.flatMap(\.problems).map(\.message)
    #expect(messages.contains("The bundle has no file “Page.js”."))
  }
}
