import Foundation
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable && NodeProgram.isAvailable))
struct `host bundle` {
  private static let notes = "\(Build.package)/Plugins/Notes"

  @Test func `makes a bundle of scripts that runs, in two languages`() async throws {
    let tool = try HostTool()
    let bundle = "\(tool.folder.path)/Notes.app"
    let made = try await tool("bundle", Self.notes, "-o", bundle)
    #expect(made.status == 0, "\(made)")
    #expect(try await tool("add", bundle).status == 0)
    let noted = try await tool("open-url", "notes://add/Milk")
    #expect(noted.stdout.contains("Noted: Milk"), "\(noted)")
    let widget = try await tool("today", "com.example.notes.recent")
    #expect(widget.status == 0 && widget.stdout.contains("Milk"), "\(widget)")
    let counted = try await tool("action", "--with", "com.example.notes.WordCount", "--text", "one two")
    #expect(counted.stdout.contains("2 words"), "\(counted)")
  }

  /// Both clients keep every rule of the protocol, in both framings.
  @Test(arguments: ["com.example.notes.recent", "com.example.notes.WordCount"], ["lines", "content-length"])
  func `makes extensions that conform`(_ identifier: String, _ framing: String) async throws {
    let tool = try HostTool()
    let bundle = "\(tool.folder.path)/Notes.app"
    #expect(try await tool("bundle", Self.notes, "-o", bundle).status == 0)
    let tried = try await tool(
      "conform", identifier, "--manifests", bundle, "--framing", framing, "--timeout", "20", "--json")
    #expect(tried.status == 0, "\(tried)")
    #expect(try (tried.json["passed"]?.integerValue ?? 0) > 20, "\(tried.stdout)")
  }

  @Test func `fills in settings, and writes nothing while one has no value`() async throws {
    let tool = try HostTool()
    let project = "\(tool.folder.path)/project"
    func manifest(_ kind: String, _ more: String) -> String {
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
      <key>CFBundleExecutable</key><string>run.py</string>
      <key>CFBundlePackageType</key><string>\(kind)</string>
      <key>CFBundleVersion</key><string>$(CURRENT_PROJECT_VERSION)</string>\(more)
      <key>Annex</key><dict><key>Interpreter</key><string>\(Script.interpreter)</string></dict>
      </dict></plist>
      """
    }
    let point = "<key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string>"
    try tool.folder.write("project/Manifests/Tea.plist", manifest("APPL", ""))
    try tool.folder.write(
      "project/Manifests/Kettle.plist", manifest("XPC!", "<key>NSExtension</key><dict>\(point)</dict>"))
    try tool.folder.write("project/run.py", "print()\n")
    let target = "\(tool.folder.path)/Tea.app"
    let lacking = try await tool("bundle", project, "-o", target)
    #expect(lacking.status == 65 && lacking.stderr.contains("--set PRODUCT_BUNDLE_IDENTIFIER=VALUE"), "\(lacking)")
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(tool.folder.names(in: "").allSatisfy { !$0.hasPrefix(".annex-bundle") })
    let made = try await tool("bundle", project, "-o", target, "--set", "PRODUCT_BUNDLE_IDENTIFIER=org.example.tea")
    #expect(made.status == 0, "\(made)")
    let inner = try String(contentsOfFile: "\(target)/PlugIns/Kettle.appex/Info.plist", encoding: .utf8)
    #expect(inner.contains("org.example.tea.Kettle") && !inner.contains("$("))
    let again = try await tool("bundle", target, "-o", "\(tool.folder.path)/Copy.app")
    #expect(again.status == 0, "\(again)")
    let itself = try await tool("bundle", target, "-o", target)
    #expect(itself.status == 74, "\(itself)")
  }

  @Test func `takes nothing for a bundle that is none`() async throws {
    let tool = try HostTool()
    try tool.folder.write("empty/README", "")
    #expect(try await tool("bundle", "\(tool.folder.path)/empty").status == 65)
    #expect(try await tool("bundle", "\(tool.folder.path)/nowhere").status == 66)
    try tool.folder.write("Mine.app/letter.txt", "")
    let kept = try await tool("bundle", Self.notes, "-o", "\(tool.folder.path)/Mine.app")
    #expect(kept.status == 74, "\(kept)")
    #expect(tool.folder.names(in: "Mine.app") == ["letter.txt"])
  }
}
