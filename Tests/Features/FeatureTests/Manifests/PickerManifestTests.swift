import ExtensionHosting
import Foundation
import HostServices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A document picker's manifest` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let groups = """
    <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
    <array><string>group.com.example.notes</string></array></dict>
    """

  private func write(_ name: String, _ point: String?, _ keys: String = "", attributes: String = "") throws {
    let id = point == nil ? "com.example.notes" : "com.example.notes.\(name)"
    let section = point.map {
      """
      <key>NSExtension</key>
      <dict><key>NSExtensionPointIdentifier</key><string>\($0)</string>\(keys)
      <key>NSExtensionAttributes</key><dict>
      \(attributes)
      </dict></dict>
      """
    }
    let text = """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleExecutable</key><string>true</string>
      <key>CFBundlePackageType</key><string>\(point == nil ? "APPL" : "XPC!")</string>
      <key>CFBundleVersion</key><string>1</string>
      \(Self.groups + (section ?? ""))
      </dict></plist>
      """
    _ = try folder.write(text, to: "\(name).plist")
  }

  private func entry(_ name: String) throws -> RegistryEntry {
    let registry = ExtensionRegistry(
      RegistrySources(manifestFolders: [.init(path: folder.path, products: "/bin")]))
    return try #require(registry.entry("com.example.notes.\(name)"))
  }

  private func modes(_ names: String...) -> String {
    let list = names.map { "<string>UIDocumentPickerMode\($0)</string>" }.joined(separator: "\n")
    return "<key>UIDocumentPickerModes</key><array>\n\(list)</array>"
  }

  private static let picker = "com.apple.fileprovider-ui"
  private static let provider = "com.apple.fileprovider-nonui"

  @Test func `without a file provider imports and exports only`() throws {
    try write("app", nil)
    try write("picker", Self.picker, attributes: modes("Import", "ExportToService"))
    #expect(try entry("picker").isEnabled)
    for mode in ["Open", "MoveToService"] {
      try write("picker", Self.picker, attributes: modes("Import", mode))
      let entry = try entry("picker")
      let problem = try #require(entry.problems.first)
      #expect(entry.state == .invalid && entry.problems.count == 1)
      #expect(problem.keyPath == "NSExtension.NSExtensionAttributes.UIDocumentPickerModes[1]")
      #expect(problem.line == 12 && problem.message.contains("need a file provider extension in the same app"))
    }
  }

  @Test func `opens and moves where the file provider has a folder`() throws {
    try write("app", nil)
    try write("picker", Self.picker, attributes: modes("Open"))
    try write("provider", Self.provider)
    let reason = try #require(entry("picker").reasons.first)
    #expect(reason.contains("com.example.notes.provider, which has no folder"))
    let group = "<key>NSExtensionFileProviderDocumentGroup</key><string>group.com.example.notes</string>"
    try write("provider", Self.provider, group)
    #expect(try entry("picker").isEnabled)
    // One that cannot be used itself is no help.
    try write("provider", Self.provider, group + "<key>NSExtensionPrincipalClass</key><true/>")
    #expect(try entry("picker").state == .invalid)
  }

  @Test func `is warned of types that nobody declares`() throws {
    try write("app", nil)
    let types =
      "<key>UIDocumentPickerSupportedFileTypes</key><array><string>public.text</string>\n<string>a.b</string></array>"
    try write("picker", Self.picker, attributes: modes("Import") + types)
    let entry = try entry("picker")
    #expect(entry.isEnabled && entry.problems.map(\.severity) == [.warning])
    #expect(entry.problems[0].keyPath.hasSuffix("UIDocumentPickerSupportedFileTypes[1]"))
    #expect(entry.problems[0].message == "No app declares the type a.b, so no document has it.")
  }
}
