import CommandLineTool
import ExtensionProtocol
import Foundation
import JSON
import Testing

@testable import CommandRuntime
@testable import HostCLI

/// `host logs`.
@Suite(.timeLimit(.minutes(1)))
struct `What an extension printed` {
  private static let id = ToolStage.widget
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private static func lines(_ texts: String...) -> [ExtensionLog.Line] {
    texts.map { ExtensionLog.Line(time: 1, level: "print", text: $0) }
  }

  private func keep(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: "\(stage.home)/logs", withIntermediateDirectories: true)
    try text.write(toFile: "\(stage.home)/logs/\(Self.id).log", atomically: true, encoding: .utf8)
  }

  private func logs(_ more: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await LogsCommand.run(try stage.invocation(["logs", Self.id] + more, bundles: bundles))
  }

  @Test func `is shown with its time, and its level where it has one`() async throws {
    try keep("1000 print one\n2500 warning two \u{1B}[31m\n")
    #expect(try await logs() == .success)
    let lines = stage.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(/^\d\d:\d\d:\d\d  one$/) == true)
    #expect(lines.last?.hasSuffix("  warning: two \\u{1b}[31m") == true)
    #expect(stage.errors == "")
  }

  @Test func `is one document as JSON`() async throws {
    try keep("1500 print one\n2500 warning two\n")
    #expect(try await logs("--json") == .success)
    #expect(
      stage.document == [
        ["time": 1.5, "level": "print", "text": "one"], ["time": 2.5, "level": "warning", "text": "two"],
      ])
  }

  @Test func `is shown also of one that is not installed any more, and is nothing of one that never ran`() async throws
  {
    let error = await #expect(throws: ExtensionError.self) { try await logs() }
    #expect(error?.code == .extensionUnknown)
    let bundle = try stage.write()
    #expect(try await logs(bundles: [bundle]) == .success)
    #expect(stage.output == "" && stage.errors == "\(Self.id) has printed nothing yet.\n")
    #expect(try await logs("--json", bundles: [bundle]) == .success)
    #expect(stage.document == [] && stage.errors == "")
  }

  // MARK: What is new

  @Test func `is new behind the last line that was shown`() {
    let news = LogsCommand.news
    #expect(Array(news(Self.lines("a", "b", "c"), Self.lines("a"))) == Self.lines("b", "c"))
    #expect(news(Self.lines("a", "b"), Self.lines("a", "b")).isEmpty)
    #expect(news([], Self.lines("a")).isEmpty)
    #expect(Array(news(Self.lines("a"), [])) == Self.lines("a"))
  }

  @Test func `is new behind the place of the last line, also among equal ones`() {
    let news = LogsCommand.news
    #expect(Array(news(Self.lines("a", "a", "a"), Self.lines("a", "a"))) == Self.lines("a"))
    #expect(Array(news(Self.lines("a", "b", "a", "b"), Self.lines("a", "b"))) == Self.lines("a", "b"))
  }

  @Test func `is new behind the last line where those before it have gone`() {
    let news = LogsCommand.news
    #expect(Array(news(Self.lines("c", "d"), Self.lines("a", "b", "c"))) == Self.lines("d"))
    #expect(news(Self.lines("c"), Self.lines("a", "b", "c")).isEmpty)
    // As many as before, and other ones.
    #expect(Array(news(Self.lines("b", "c"), Self.lines("a", "b"))) == Self.lines("c"))
  }

  @Test func `is all new where nothing of what was shown is left`() {
    #expect(Array(LogsCommand.news(in: Self.lines("x", "y"), since: Self.lines("a"))) == Self.lines("x", "y"))
  }
}
