import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An extension that cannot be started` {
  private static func manifest(_ name: String, executable: String, annex: String = "") -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.example.fixtures.\(name)</string>
    <key>CFBundleExecutable</key><string>\(executable)</string>
    <key>CFBundlePackageType</key><string>XPC!</string>
    <key>CFBundleName</key><string>\(name)</string>
    <key>CFBundleVersion</key><string>1</string>
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>\(annex)
    </dict></plist>

    """
  }

  @Test func `because it is unknown comes with near misses`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.crashre")
    #expect(error.code == .extensionUnknown)
    #expect(error.message.contains("com.example.fixtures.crashre"))
    #expect(error.recovery?.contains("com.example.fixtures.crasher") == true)
  }

  @Test func `because its executable is missing says which`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("manifests/lost.plist", Self.manifest("lost", executable: "NoSuchProgram"))
    let error = try await Stage(folder).failure(of: "com.example.fixtures.lost")
    #expect(error.code == .extensionInvalid)
    #expect("\(error)".contains("NoSuchProgram"))
  }

  @Test func `because its executable went away says so`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("gone", in: folder, "show(1)")
    let stage = try Stage(folder)
    try folder.remove("Plugins/gone.py")
    let error = try await stage.failure(of: id)
    #expect([.launchFailed, .extensionInvalid].contains(error.code), "\(error)")
    #expect(error.message.contains("gone"))
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `because its executable is no program names the stage`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("products/NoProgram", "neither ELF nor a script\n", mode: 0o755)
    try folder.write("manifests/odd.plist", Self.manifest("odd", executable: "NoProgram"))
    let stage = try Stage(folder, products: "\(folder.path)/products")
    let error = try await stage.failure(of: "com.example.fixtures.odd")
    #expect(error.code == .launchFailed || error.code == .extensionInvalid, "\(error)")
    #expect(error.message.contains("odd"))
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `because its launcher is missing says so`() async throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(folder, launcher: "\(folder.path)/no-launcher")
    let error = try await stage.failure(of: "com.example.adventures.visits")
    #expect(error.code == .sandboxUnavailable || error.code == .launchFailed, "\(error)")
    #expect("\(error)".contains("no-launcher"))
    #expect(stage.scratchFolders.isEmpty)
  }
}
