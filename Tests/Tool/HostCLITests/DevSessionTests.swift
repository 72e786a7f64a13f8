import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Foundation
import TestSupport
import Testing

@testable import HostCLI

/// `host dev` on a folder that is no project.
@Suite(.timeLimit(.minutes(1)))
struct `A session of host dev` {
  private let stage: ToolStage
  private let project: String
  private let place: String
  private let loop = EventLoop.onThread(name: "dev")

  init() throws {
    stage = try ToolStage()
    (project, place) = (stage.folder.file("project"), stage.folder.file("place"))
    for path in [project, place] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  private func session(_ words: [String] = []) throws -> DevSession {
    try DevSession(stage.invocation(["dev", project] + words, loop: loop), in: place)
  }

  private func record() throws -> RegistryRecord { try RegistryRecord.load(from: RegistryFile.path(in: stage.state)) }

  /// Puts a file into the project, in one step.
  private func save(_ name: String) throws {
    try FileManager.default.moveItem(atPath: stage.folder.write("text", to: "draft"), toPath: "\(project)/\(name)")
  }

  /// How often it was said what is wrong, and that the session waits.
  private var counts: [Int] {
    ["There is no manifest in ", "Waiting for you to save a file."].map { stage.errors.ranges(of: $0).count }
  }

  @Test func `says what failed in each round, and waits for the next change`() async throws {
    defer { loop.stop() }
    let session = try session()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          try await withTaskExecutorPreference(loop) { _ = try await session.run() }
        }
      }
      group.addTask {
        while counts[1] < 1, !Task.isCancelled { await Task.yield() }
        #expect(counts == [1, 1])
        #expect(throws: Never.self) { try save("b.txt") }
        while counts[1] < 2, !Task.isCancelled { await Task.yield() }
        #expect(counts == [2, 2])
      }
      await group.next()
      group.cancelAll()
    }
  }

  @Test func `has the bundle of the last round registered, whatever its name, and none at the end`() async throws {
    defer { loop.stop() }
    let session = try session()
    let (first, second) = (try stage.write("First.app"), try stage.write("Second.app"))
    for (bundle, name) in [(first, "First"), (first, "First"), (second, "Second"), (first, "First")] {
      let entries = try await withTaskExecutorPreference(loop) { try await session.register(bundle) }
      #expect(entries.map(\.identifier) == [ToolStage.widget])
      let now = try record()
      #expect(now.bundles.count == 1 && now.bundles.first?.path.hasSuffix("/\(name).app") == true)
      #expect(now.approvals.keys.sorted() == [ToolStage.app, ToolStage.widget])
    }
    try await withTaskExecutorPreference(loop) { try await session.unregister() }
    #expect(try record().bundles.isEmpty && record().approvals.isEmpty)
  }

  @Test func `approves what an extension asks for in each round, unless it was approved before`() async throws {
    defer { loop.stop() }
    let asking = """
      <key>Annex</key><dict><key>Network</key><array><string>a.example.com</string></array>
      <key>Entitlements</key><array><string>network</string></array></dict>
      """
    func isEnabled(_ keys: String, in session: DevSession) async throws -> Bool? {
      let bundle = try stage.write { $0.keys = keys }
      return try await withTaskExecutorPreference(loop) { try await session.register(bundle) }.first?.isEnabled
    }
    let first = try session()
    for keys in ["", asking, asking] { #expect(try await isEnabled(keys, in: first) == true) }
    #expect(try record().approvals[ToolStage.widget]?.contains("network") == true)
    try await withTaskExecutorPreference(loop) { try await first.unregister() }
    #expect(try record().approvals.isEmpty)
    try await RegistryFile.update(try stage.invocation(["list"])) { record throws(ExtensionError) in
      record.approve([], for: ToolStage.widget)
    }
    let second = try session()
    #expect(try await isEnabled("", in: second) == true)
    #expect(try await isEnabled(asking, in: second) == false)
    try await withTaskExecutorPreference(loop) { try await second.unregister() }
    #expect(try record().approvals == [ToolStage.widget: []])
  }

  @Test func `says nothing of a next change with --once, and throws what is wrong`() async throws {
    defer { loop.stop() }
    let session = try session(["--once"])
    let error = await #expect(throws: (any Error).self) {
      try await withTaskExecutorPreference(loop) { _ = try await session.run() }
    }
    #expect("\(String(describing: error))".contains("There is no manifest in "))
    #expect(counts == [0, 0])
  }
}
