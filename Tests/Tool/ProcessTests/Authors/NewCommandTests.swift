import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `host new` {
  /// What a language needs to run its tests.
  private static let testers: [String: (program: String, arguments: [String])] = [
    "python": (Script.interpreter, ["-m", "unittest", "discover", "Tests"]),
    "node": (NodeProgram.path, ["--test", "Tests/"]),
  ]

  /// The words that follow from the command which was printed.
  private static func words(_ command: String) -> [String] {
    command.split(separator: " ").dropFirst().map(String.init)
  }

  @Test(arguments: ["python", "node"]) func `makes a widget that runs at once, with tests that pass`(
    _ language: String
  ) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let tool = try HostTool()
    let made = try await tool("new", "today", "Hello", "--language", language, "--into", tool.folder.path, "--json")
    #expect(made.status == 0, "\(made)")
    let run = try #require(try made.json["run"]?.stringValue)
    #expect(try made.json["id"] == "org.example.hello.widget")
    let first = try await tool(Self.words(run))
    #expect(first.status == 0 && first.stdout.contains("Visit 1"), "\(first)")
    let second = try await tool(Self.words(run))
    #expect(second.stdout.contains("Visit 2"), "\(second)")
    let tester = try #require(Self.testers[language])
    let line = "cd '\(tool.folder.path)/Hello' && \(([tester.program] + tester.arguments).joined(separator: " "))"
    let tests = try await tool.shell(line)
    #expect(tests.status == 0, "\(tests)")
  }

  @Test(arguments: ["python", "node"]) func `makes share extensions and actions that run`(
    _ language: String
  ) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let tool = try HostTool()
    let into = ["--language", language, "--into", tool.folder.path]
    #expect(try await tool(["new", "share", "Post"] + into).status == 0)
    #expect(try await tool(["new", "action", "Count"] + into).status == 0)
    let shared = try await tool(
      "share", "--with", "org.example.post.share", "--text", "A text", "--post", "See you there", "--manifests",
      "\(tool.folder.path)/Post/Post.app")
    #expect(shared.status == 0 && shared.stdout.contains("Shared: See you there"), "\(shared)")
    let counted = try await tool(
      "action", "--with", "org.example.count.action", "--text", "one two three", "--manifests",
      "\(tool.folder.path)/Count/Count.app")
    #expect(counted.status == 0 && counted.stdout.contains("3 words"), "\(counted)")
  }

  @Test func `makes a Swift package that names this one`() async throws {
    let tool = try HostTool()
    let made = try await tool("new", "today", "Hello", "--into", tool.folder.path, "--annex", Build.package)
    #expect(made.status == 0, "\(made)")
    let manifest = try String(contentsOfFile: "\(tool.folder.path)/Hello/Package.swift", encoding: .utf8)
    #expect(manifest.contains(".package(name: \"annex\", path: \"\(Build.package)\")"))
    #expect(!manifest.contains("__"), "a placeholder is left")
  }

  @Test func `overwrites nothing, and takes no name that is none`() async throws {
    let tool = try HostTool()
    let into = ["--language", "python", "--into", tool.folder.path]
    try tool.folder.write("Hello/mine.txt", "mine")
    let taken = try await tool(["new", "today", "Hello"] + into)
    #expect(taken.status == 74 && taken.stderr.contains("is there already"), "\(taken)")
    #expect(tool.folder.names(in: "Hello") == ["mine.txt"])
    for name in ["1st", "a-b", "../up", "Swift", ""] {
      let refused = try await tool(["new", "today", name] + into)
      #expect(refused.status == 65, "\(name): \(refused)")
    }
    #expect(try await tool(["new", "today", "Good", "--identifier", "no identifier"] + into).status == 65)
    #expect(try await tool(["new", "tody", "Good"] + into).status == 64)
    #expect(tool.folder.names(in: "").allSatisfy { !$0.contains("Good") })
  }
}
