import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON
import Testing

@testable import HostCLI

/// `host list`.
@Suite(.timeLimit(.minutes(1)))
struct `A list of extensions` {
  private static let (app, id) = (ToolStage.app, ToolStage.widget)
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func list(_ words: String..., bundles: [String]) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await ListCommand.run(try stage.invocation(["list"] + words, bundles: bundles))
  }

  /// The identifiers, versions and marks that a filter lets through.
  private func entries(_ words: String..., bundles: [String]) throws -> [String] {
    let invocation = try stage.invocation(["list"] + words, bundles: bundles)
    return try ListFilter(invocation).entries(of: try invocation.registry())
      .map { "\($0.tag)\($0.identifier) \($0.manifest?.version.text ?? "")" }.sorted()
  }

  @Test func `has each app, then its extensions`() async throws {
    let bundle = try stage.write()
    #expect(try await list(bundles: [bundle]) == .success)
    #expect(stage.lines.first == "IDENTIFIER NAME POINT VERSION STATE SIGNED BY")
    #expect(stage.lines.count == 3)
    #expect(stage.lines[1].hasPrefix("\(Self.app) ") && stage.lines[2].hasPrefix("\(Self.id) "))
    #expect(stage.lines[2].hasSuffix(" today 7 enabled unsigned, local"))
    #expect(stage.errors == "")
    #expect(try await list("--permissions", bundles: [bundle]) == .success)
    #expect(stage.lines.first?.hasSuffix(" SIGNED BY PERMISSIONS") == true)
  }

  @Test func `says what keeps an extension from use, and what to do`() async throws {
    let bundle = try stage.write { $0.hasProgram = false }
    #expect(try await list(bundles: [bundle]) == .success)
    #expect(stage.lines.contains { $0.hasPrefix("! \(Self.id) ") && $0.hasSuffix(" 7 missing unsigned, local") })
    let notes = stage.errors.split(separator: "\n")
    #expect(notes.count == 2 && notes.first?.hasPrefix("\(Self.id): ") == true)
    #expect(notes.last == "  help: Put the executable there, or build it.")
  }

  @Test func `is one document as JSON`() async throws {
    let bundle = try stage.write()
    #expect(try await list("--json", "--point", "today", bundles: [bundle]) == .success)
    let entries = stage.document?.arrayValue
    #expect(entries?.count == 1)
    let entry = try #require(entries?.first)
    #expect(entry["id"] == .string(Self.id) && entry["app"] == .string(Self.app))
    #expect(entry["version"] == "7" && entry["state"] == "enabled" && entry["tag"] == " ")
    #expect(entry["point"] == "com.apple.widget-extension" && entry["team"] == .null)
    #expect(entry["reasons"] == [] && entry["problems"] == [] && entry["permissions"] == [:])
  }

  @Test func `that is empty says how to add something, and is an empty array as JSON`() async throws {
    #expect(try await list(bundles: []) == .success)
    #expect(stage.output == "" && stage.errors.hasPrefix("There is nothing to list. "))
    #expect(try await list("--json", bundles: []) == .success)
    #expect(stage.document == [] && stage.errors == "")
  }

  // MARK: Filters

  @Test func `has one version of each, unless all are asked for`() throws {
    let bundles = [try stage.write("A.app"), try stage.write("B.app") { $0.version = "8" }]
    #expect(try entries(bundles: bundles) == [" \(Self.app) 8", " \(Self.id) 8"])
    let all = [" \(Self.app) 8", " \(Self.id) 8", "=\(Self.app) 7", "=\(Self.id) 7"]
    #expect(try entries("--all", bundles: bundles) == all)
    #expect(try entries("--duplicates", bundles: bundles) == all)
    #expect(try entries("--duplicates", bundles: [bundles[0]]) == [])
    #expect(try entries("--all", "--id", Self.id, bundles: bundles) == [" \(Self.id) 8", "=\(Self.id) 7"])
  }

  @Test func `has one point or one identifier where that is asked for`() throws {
    let bundle = try stage.write()
    #expect(try entries("--point", "today", bundles: [bundle]) == [" \(Self.id) 7"])
    #expect(try entries("--point", "photo", bundles: [bundle]) == [])
    #expect(try entries("--id", Self.app, bundles: [bundle]) == [" \(Self.app) 7"])
    #expect(try entries("--id", "org.example", bundles: [bundle]) == [])
  }

  private static let attributes: [(word: String, isThere: Bool)] = [
    ("Mode=large", true), ("Mode=Large", false), ("Mode=", false), ("Mode=large=", false), ("Count=4", true),
    ("Count=04", false), ("IsQuiet=true", true), ("IsQuiet=1", false), ("IsQuiet=YES", false), ("Sum=1+1=2", true),
    ("Accent=\u{301}x", true), ("Empty=", true), ("None=", false),
    ("NSExtensionPointIdentifier=com.apple.widget-extension", true),
    ("CFBundleVersion=7", true), ("CFBundleVersion=8", false),
  ]

  @Test(arguments: attributes) func `has what a manifest says, key and value`(word: String, isThere: Bool) throws {
    let bundle = try stage.write {
      $0.attributes = """
        <key>Mode</key><string>large</string><key>Count</key><integer>4</integer><key>IsQuiet</key><true/>
        <key>Sum</key><string>1+1=2</string><key>Empty</key><string></string>
        <key>Accent</key><string>\u{301}x</string>
        """
    }
    #expect(try entries("--point", "today", word, bundles: [bundle]) == (isThere ? [" \(Self.id) 7"] : []))
  }

  @Test func `has what all of the keys say`() throws {
    let bundle = try stage.write { $0.attributes = "<key>A</key><string>1</string><key>B</key><string>2</string>" }
    #expect(try entries("A=1", "B=2", bundles: [bundle]) == [" \(Self.id) 7"])
    #expect(try entries("A=1", "B=1", bundles: [bundle]) == [])
  }

  @Test(arguments: ["=value", "word", "="]) func `takes no other words`(word: String) throws {
    let error = #expect(throws: CommandLineError.self) { try entries(word, bundles: []) }
    #expect(error?.message == "host list does not take “\(word)”.")
  }
}
