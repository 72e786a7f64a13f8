import ExtensionHosting
import ExtensionProtocol
import Foundation
import IdentityServices
import TestSupport
import Testing
import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `The identity server of an app` {
  private static let own = "https://own.example/tenant"
  private static let usual = "https://usual.example"

  /// The configuration for an app with a manifest, where the host is configured with another server.
  private func authority(annex: String, executable: String, keys: String = "") throws -> String {
    let folder = try TemporaryDirectory()
    _ = try folder.write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.shop</string>
      <key>CFBundleExecutable</key><string>\(executable)</string><key>CFBundlePackageType</key><string>APPL</string>
      <key>CFBundleVersion</key><string>1</string><key>CFBundleName</key><string>Shop</string>\(keys)
      <key>Annex</key><dict>\(annex)</dict></dict></plist>

      """, to: "shop.plist")
    let registry = ExtensionRegistry(
      RegistrySources(
        manifestFolders: [
          RegistrySources.ManifestFolder(path: folder.path, products: folder.path)
        ]), points: [])
    let book = IdentityBook(
      state: StateDirectory(path: folder.file("home")),
      settings: IdentityBook.Settings(authority: Self.usual, clientID: "usual")
    ) { app throws(ExtensionError) in try registry.identity(ofApp: app) }
    return try book.configuration(of: "com.example.shop").authority
  }

  private static let identity = """
    <key>Identity</key><dict><key>Authority</key><string>\(own)</string><key>ClientID</key><string>c</string></dict>
    """

  @Test func `stays its own when its executable is missing`() throws {
    #expect(try authority(annex: Self.identity, executable: "nowhere") == Self.own)
  }

  @Test func `is the configured one only where the app names none`() throws {
    #expect(try authority(annex: "", executable: "nowhere") == Self.usual)
  }

  @Test(arguments: [
    "<key>Identity</key><dict><key>Authority</key><string>https://own.example</string></dict>",
    "<key>Identity</key><string>https://own.example</string>",
  ])
  func `is no other when the manifest has a fault, and the fault is said`(annex: String) {
    let error = #expect(throws: ExtensionError.self) { try authority(annex: annex, executable: "nowhere") }
    #expect(error?.code == .extensionInvalid && error?.message.contains("Identity") == true, "\(error as Any)")
  }

  /// The authority for an app with several manifests, in the order of their names. The executable `there` exists.
  private func authority(_ manifests: [(annex: String, executable: String)]) throws -> String? {
    let folder = try TemporaryDirectory()
    let program = try folder.write("a program\n", to: "there")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    for (number, manifest) in manifests.enumerated() {
      _ = try folder.write(
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.shop</string>
        <key>CFBundleExecutable</key><string>\(manifest.executable)</string>
        <key>CFBundlePackageType</key><string>APPL</string><key>CFBundleVersion</key><string>1</string>
        <key>CFBundleName</key><string>Shop</string><key>Annex</key><dict>\(manifest.annex)</dict></dict></plist>

        """, to: "\(number).plist")
    }
    let sources = RegistrySources(
      manifestFolders: [RegistrySources.ManifestFolder(path: folder.path, products: folder.path)])
    return try ExtensionRegistry(sources, points: []).identity(ofApp: "com.example.shop")?.authority
  }

  private static func identity(_ authority: String) -> String {
    """
    <key>Identity</key><dict><key>Authority</key><string>\(authority)</string>
    <key>ClientID</key><string>c</string></dict>
    """
  }

  @Test func `is that of the manifest in use, else of the first that can be read`() throws {
    let (a, b) = (Self.identity("https://a.example"), Self.identity("https://b.example"))
    let faulty = "<key>Identity</key><string>https://own.example</string>"
    #expect(try authority([(a, "nowhere"), (b, "there")]) == "https://b.example")
    #expect(try authority([(a, "there"), (b, "nowhere")]) == "https://a.example")
    #expect(try authority([(a, "nowhere"), (b, "nowhere")]) == "https://a.example")
    #expect(try authority([(faulty, "nowhere"), (b, "nowhere")]) == "https://b.example")
    #expect(try authority([(a, "nowhere"), ("", "there")]) == nil)
    #expect(throws: ExtensionError.self) { try authority([(faulty, "nowhere"), (faulty, "there")]) }
  }
}
