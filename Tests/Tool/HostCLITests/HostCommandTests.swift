import CommandLineTool
import CommandRuntime
import Conformance
import EventLoop
import ExtensionHosting
import JSON
import TestSupport
import Testing

@testable import HostCLI

/// `host` with a command, and without one.
@Suite(.timeLimit(.minutes(1)))
struct `The tool` {
  private let stage: ToolStage
  private let tool = HostCommand(
    features: [], checks: CheckList([], hosts: HostFeatures([] as [HostFeatures]), points: []), libraries: nil)

  init() throws { stage = try ToolStage() }

  private func run(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    let loop = EventLoop.onThread(name: "tool")
    defer { loop.stop() }
    let invocation = try stage.invocation(words, bundles: bundles, loop: loop)
    return await withTaskExecutorPreference(loop) { await tool.run(invocation) }
  }

  @Test func `needs a command`() async throws {
    let error = #expect(throws: CommandLineError.self) { try stage.invocation([]) }
    #expect(error?.message.hasPrefix("host needs a command: why, logs, stats, ") == true)
  }

  @Test func `ends as its command does`() async throws {
    let bundle = try stage.write()
    #expect(try await run("elect", ToolStage.widget, "ignore", bundles: [bundle]) == .success)
    #expect(stage.output == "- \(ToolStage.widget) 7 ignored\n")
  }

  @Test func `says what is wrong with the words of its command`() async throws {
    #expect(try await run("elect", ToolStage.widget, "ignor") == .usage)
    #expect(stage.output == "")
    #expect(stage.errors == "error: “ignor” is not a value for DECISION.\nhelp: Did you mean ignore?\n")
    #expect(try await run("elect", ToolStage.widget, "ignor", "--json") == .usage)
    #expect(stage.document?["message"] == "“ignor” is not a value for DECISION." && stage.errors == "")
  }

  @Test func `says why its command failed`() async throws {
    #expect(try await run("elect", "org.example.none", "ignore") == .noInput)
    #expect(stage.output == "" && stage.errors.hasPrefix("error: No extension is called “org.example.none”.\n"))
    #expect(try await run("elect", "org.example.none", "ignore", "--json") == .noInput)
    #expect(stage.document?["message"] == "No extension is called “org.example.none”." && stage.errors == "")
  }

  @Test func `lists the apps with the schemes that they open`() async throws {
    let bundle = try stage.write()
    #expect(try await run("apps", bundles: [bundle]) == .success)
    #expect(stage.lines.first == "IDENTIFIER NAME SCHEMES" && stage.lines.count == 2)
    #expect(stage.lines.last?.hasPrefix(ToolStage.app) == true)
    #expect(try await run("apps", "--json", bundles: [bundle]) == .success)
    #expect(stage.document?.arrayValue?.map { $0["id"] } == [.string(ToolStage.app)])
    #expect(stage.document?[0]?["schemes"] == [])
  }
}
