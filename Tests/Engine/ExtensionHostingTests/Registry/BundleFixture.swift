import ExtensionHosting
import Foundation

/// Writes bundles of an app with one extension into a folder.
struct BundleFixture {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What makes one bundle different from another.
  struct Options {
    var version = "1"
    var point = "com.example.points.clock"
    var entitlements: [String] = []
    var extensionKeys = ""
    var attributes = ""
    var extensionID = "com.example.notes.clock"
    var program = "/bin/true"
  }

  static func manifest(_ id: String, executable: String, type: String, version: String, _ rest: String) -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>\(id)</string>
    <key>CFBundleExecutable</key><string>\(executable)</string>
    <key>CFBundlePackageType</key><string>\(type)</string>
    <key>CFBundleVersion</key><string>\(version)</string>
    \(rest)
    </dict></plist>
    """
  }

  /// - Returns: the path of the bundle.
  @discardableResult
  func write(_ name: String = "Notes.app", _ change: (inout Options) -> Void = { _ in }) throws -> String {
    var options = Options()
    change(&options)
    let entitlements = options.entitlements.map { "<string>\($0)</string>" }.joined()
    let section = """
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>\(options.point)</string>
      <key>NSExtensionAttributes</key><dict>\(options.attributes)</dict></dict>
      """
    let annex =
      options.extensionKeys.contains("<key>Annex</key>")
      ? "" : "<key>Annex</key><dict><key>Entitlements</key><array>\(entitlements)</array></dict>"
    let app = Self.manifest(
      "com.example.notes", executable: "Notes", type: "APPL", version: options.version, "")
    let inner = Self.manifest(
      options.extensionID, executable: "Clock", type: "XPC!", version: options.version,
      annex + options.extensionKeys + section)
    try folder.write("\(name)/Info.plist", app.utf8)
    try folder.write("\(name)/PlugIns/Clock.appex/Info.plist", inner.utf8)
    let program = try Data(contentsOf: URL(fileURLWithPath: options.program))
    for place in ["Notes", "PlugIns/Clock.appex/Clock"] { try folder.write("\(name)/\(place)", program, mode: 0o755) }
    for place in ["", "/PlugIns", "/PlugIns/Clock.appex"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/\(name)\(place)")
    }
    return "\(folder.path)/\(name)"
  }
}
