import CommandLineTool
import CommandRuntime
import Conformance
import ExtensionHosting
import ExtensionProtocol
import Files
import Foundation
import JSON
import TestSupport
import Testing

@testable import HostCLI

/// `host conform`, before anything is started.
@Suite(.timeLimit(.minutes(1)))
struct `What is tried for conformance` {
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func names(_ words: String...) async throws -> [String] {
    stage.clear()
    #expect(try await ConformCommand.run(try stage.invocation(["conform", "--list", "--json"] + words)) == .success)
    return stage.document?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
  }

  private func identifiers(_ words: String..., bundles: [String] = []) throws -> [String] {
    try ConformCommand.registry(try stage.invocation(["conform"] + words, bundles: bundles)).entries
      .map(\.identifier).sorted()
  }

  private static func manifest(_ id: String, _ type: String, _ rest: String = "") -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
    <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>1</string>\(rest)</dict></plist>
    """
  }

  @Test func `is found in the folder of the manifest that is named, else in the usual places`() throws {
    let bundle = try stage.write()
    try FileManager.default.createDirectory(atPath: stage.folder.file("loose"), withIntermediateDirectories: true)
    _ = try stage.folder.write(Self.manifest("com.example.clock", "APPL"), to: "loose/app.plist")
    let rest = """
      <key>CFBundleExecutable</key><string>clock</string><key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      """
    let path = try stage.folder.write(Self.manifest("com.example.clock.widget", "XPC!", rest), to: "loose/clock.plist")
    let loose = ["com.example.clock", "com.example.clock.widget"]
    #expect(try identifiers("clock", "--manifest", path, bundles: [bundle]) == loose)
    #expect(try identifiers("clock", bundles: [bundle]) == [ToolStage.app, ToolStage.widget])
  }

  private func target(_ words: String..., bundles: [String] = []) throws -> LaunchTarget {
    let invocation = try stage.invocation(["conform"] + words, bundles: bundles)
    return try ConformTarget(invocation, registry: ConformCommand.registry(invocation)).target
  }

  @Test func `is the extension of that identifier, or the one whose program is named`() throws {
    let bundle = try stage.write()
    let program = "\(bundle)/PlugIns/Clock.appex/clock"
    for name in [ToolStage.widget, program] {
      let found = try target(name, bundles: [bundle])
      #expect(found.identity.id == ToolStage.widget && found.identity.containingApp == ToolStage.app)
      #expect(found.identity.point.rawValue == "com.apple.widget-extension")
      #expect(File.resolved(found.executable) == File.resolved(program))
      // It may be tried at another point.
      let share = try target(name, "--point", "share", bundles: [bundle])
      #expect(share.identity.id == ToolStage.widget && share.identity.point.rawValue == "com.apple.share-services")
    }
    // The program of an app is none of an extension.
    let app = #expect(throws: CommandLineError.self) { try target("\(bundle)/tides", bundles: [bundle]) }
    #expect(app?.message == "“\(bundle)/tides” has no manifest that would name its extension point.")
  }

  @Test func `is any program at a point, with nothing that a manifest would give`() throws {
    let program = try stage.folder.write("#!/bin/sh\n", to: "run.sh")
    let found = try target(program, "--point", "share")
    #expect(found.identity.id == "conformance.extension" && found.identity.displayName == "run.sh")
    #expect(found.identity.point.rawValue == "com.apple.share-services")
    #expect(found.identity.groups == [] && found.identity.entitlements == [])
    #expect(found.interpreter == "/bin/sh" && found.framing == .lines && found.bundle == nil)
    let framing = try #require(Manifest.Framing.allCases.first { $0 != .lines })
    let told = try target(
      program, "--point", "share", "--interpreter", "/bin/other", "--framing", framing.rawValue)
    #expect(told.interpreter == "/bin/other" && told.framing == framing)
    let none = #expect(throws: ExtensionError.self) { try target("/nonexistent/program", "--point", "share") }
    #expect(none?.code == .extensionUnknown && none?.message == "There is no file “/nonexistent/program”.")
  }

  @Test func `has five seconds for an answer, or from 1 to 60`() throws {
    func timeout(_ words: String...) throws -> Duration {
      try ConformCommand.timeout(try stage.invocation(["conform", "clock"] + words))
    }
    #expect(try timeout() == .seconds(5))
    #expect(try timeout("--timeout", "1") == .seconds(1) && timeout("--timeout", "60") == .seconds(60))
    for text in ["0", "61", "1.5", "x"] {
      let error = #expect(throws: CommandLineError.self) { try timeout("--timeout", text) }
      #expect(error?.message == "“\(text)” is not a time." && error?.help == "Give whole seconds, from 1 to 60.")
    }
  }

  @Test func `is listed: each rule for any method, or for those of a point`() async throws {
    let all = try stage.invocation(["conform"]).tool.checks.all.map(\.name)
    #expect(try await names() == all + MethodRule.all.map { $0.check(of: "METHOD") })
    let names = try await names("--point", "today")
    #expect(names.contains { $0.hasSuffix(":widget/performUpdate") })
    #expect(!names.contains { $0.hasSuffix(":METHOD") })
  }

  @Test func `is listed as a table`() async throws {
    #expect(try await ConformCommand.run(try stage.invocation(["conform", "--list"])) == .success)
    let names = try stage.invocation(["conform"]).tool.checks.all.map(\.name)
    let rules = MethodRule.all.map { $0.check(of: "METHOD") }
    #expect(stage.lines.dropFirst().map { $0.prefix { $0 != " " } } == (names + rules).map { $0[...] })
  }

  @Test func `is nothing when nothing is named`() async throws {
    let error = await #expect(throws: CommandLineError.self) {
      try await ConformCommand.run(try stage.invocation(["conform"]))
    }
    #expect(error?.message == "There is nothing to check.")
  }
}
