import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Foundation
import JSON
import TestSupport
import Testing

@testable import HostCLI

/// `host remove`.
@Suite(.timeLimit(.minutes(1)))
struct `A bundle that is removed` {
  private let stage: ToolStage
  private let bundle: String

  init() throws {
    stage = try ToolStage()
    bundle = try #require(File.resolved(try stage.write()))
  }

  private func add() async throws {
    let loop = EventLoop.onThread(name: "add")
    defer { loop.stop() }
    let invocation = try stage.invocation(["add", bundle], loop: loop)
    _ = try await withTaskExecutorPreference(loop) { try await AddCommand.run(invocation) }
  }

  private func remove(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await RemoveCommand.run(try stage.invocation(["remove"] + words, bundles: bundles))
  }

  private func refusal(of name: String, bundles: [String] = []) async throws -> ExtensionError {
    let error = await #expect(throws: ExtensionError.self) { try await remove(name, bundles: bundles) }
    #expect(stage.output == "" && stage.errors == "")
    return try #require(error)
  }

  private var record: RegistryRecord {
    get throws { try RegistryRecord.load(from: RegistryFile.path(in: stage.state)) }
  }

  @Test func `is the one of that identifier, and what was approved goes with it`() async throws {
    try await add()
    #expect(try record.bundles.map(\.path) == [bundle] && record.approvals[ToolStage.widget] != nil)
    #expect(try await remove(ToolStage.app) == .success)
    #expect(stage.output == "- \(bundle)\n" && stage.errors == "")
    #expect(try record.bundles.isEmpty && record.approvals.isEmpty)
    #expect(Folder.isFolder(bundle))
  }

  @Test func `is told in JSON`() async throws {
    try await add()
    #expect(try await remove(ToolStage.app, "--json") == .success)
    #expect(stage.document == ["removed": [.string(bundle)]])
  }

  @Test func `is the one at the path, or that a link leads to`() async throws {
    try await add()
    #expect(try await remove(bundle) == .success)
    #expect(stage.output == "- \(bundle)\n")
    try await add()
    let link = stage.folder.file("Link.app")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: bundle)
    #expect(try await remove(link) == .success)
    #expect(stage.output == "- \(bundle)\n")
    #expect(try record.bundles.isEmpty)
  }

  /// A copy of the host's own, of which processes may run, is kept for a day from then on.
  @Test func `is left now where it is a copy, and stays as old as it is elsewhere`() async throws {
    let digest = String(repeating: "a", count: 64)
    for (parent, isCopy) in [("\(stage.state.path)/bundles/\(digest)", true), (stage.folder.file("elsewhere"), false)] {
      try FileManager.default.createDirectory(atPath: "\(parent)/Tides.app", withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -200_000)], ofItemAtPath: parent)
      try await RegistryRecord.update(at: RegistryFile.path(in: stage.state)) { record throws(ExtensionError) in
        try record.add(bundle: "\(parent)/Tides.app")
      }
      #expect(try await remove("\(parent)/Tides.app") == .success)
      let age = Date.now.timeIntervalSince1970 - (try #require(FileStatus(parent)).modified)
      #expect(isCopy ? age < 1000 : age > 190_000)
    }
  }

  @Test func `may be gone from its path`() async throws {
    try await add()
    try FileManager.default.removeItem(atPath: bundle)
    #expect(try await remove(bundle) == .success)
    #expect(stage.output == "- \(bundle)\n")
  }

  @Test func `is never a part of another`() async throws {
    try await add()
    let error = try await refusal(of: ToolStage.widget)
    #expect(error.code == .extensionInvalid)
    #expect(error.message == "\(ToolStage.widget) is part of \(ToolStage.app) and cannot be removed by itself.")
    #expect(
      error.recovery == "Run “host remove \(ToolStage.app)”, or “host elect \(ToolStage.widget) ignore”.")
    #expect(try record.bundles.count == 1)
  }

  @Test func `is never one that lies in a folder of manifests`() async throws {
    let error = try await refusal(of: ToolStage.app, bundles: [bundle])
    #expect(error.code == .extensionInvalid)
    #expect(error.message == "\(ToolStage.app) was not added; it comes from a folder of manifests.")
    #expect(
      error.recovery == "Run “host elect \(ToolStage.app) ignore”, or take its manifest out of the folder.")
  }

  @Test func `is one that was added, or nothing is`() async throws {
    let none = try await refusal(of: ToolStage.app)
    #expect(none.code == .extensionUnknown)
    #expect(none.message == "No bundle called “\(ToolStage.app)” was added.")
    #expect(none.recovery == "Run “host list” to see what there is.")
    try await add()
    let near = try await refusal(of: "org.example.tide")
    #expect(near.code == .extensionUnknown && near.recovery == "Did you mean \(ToolStage.app)?")
    #expect(try record.bundles.count == 1)
  }
}
