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

  @Test(arguments: ["keyboard", "photo", "action-ui", "picker", "provider"], ["python", "node"])
  func `makes extensions of other points that keep the protocol, with tests that pass`(
    _ point: String, _ language: String
  ) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let tool = try HostTool()
    let made = try await tool("new", point, "Hello", "--language", language, "--into", tool.folder.path, "--json")
    #expect(made.status == 0, "\(made)")
    let id = try #require(try made.json["id"]?.stringValue)
    let checked = try await tool("conform", id, "--manifests", "\(tool.folder.path)/Hello/Hello.app")
    #expect(checked.status == 0, "\(checked.stdout)\(checked.stderr)")
    let tester = try #require(Self.testers[language])
    let tests = try await tool.shell(
      "cd '\(tool.folder.path)/Hello' && \(([tester.program] + tester.arguments).joined(separator: " "))")
    #expect(tests.status == 0, "\(tests)")
  }

  @Test(arguments: ["bash", "c"]) func `makes a widget that speaks the protocol by hand, in an app without a program`(
    _ language: String
  ) async throws {
    let tool = try HostTool()
    let into = tool.folder.path
    let made = try await tool("new", "today", "Hello", "--language", language, "--into", into)
    #expect(made.status == 0, "\(made)")
    if language == "c" {
      let built = try await tool.shell("make -C '\(into)/Hello'")
      #expect(built.status == 0 && built.stderr == "", "\(built)")
    }
    let shown = try await tool("today", "org.example.hello.widget", "--manifests", "\(into)/Hello/Hello.app")
    #expect(shown.status == 0 && shown.stdout.contains("Hello from "), "\(shown)")
    let tried = try await tool("dev", "\(into)/Hello", "--once")
    #expect(tried.status == 0 && tried.stdout.contains("Hello from "), "\(tried)")
    let bundled = try await tool("bundle", "\(into)/Hello", "-o", "\(into)/out/Hello.app")
    #expect(bundled.status == 0, "\(bundled)")
    let added = try await tool("add", "\(into)/out/Hello.app")
    #expect(added.status == 0, "\(added)")
    #expect(try await tool("today", "org.example.hello.widget").stdout.contains("Hello from "))
  }

  @Test func `makes a widget in Go`() async throws {
    let tool = try HostTool()
    #expect(try await tool("new", "today", "Hello", "--language", "go", "--into", tool.folder.path).status == 0)
    #expect(tool.folder.contents("Hello/main.go")?.contains("\"widget/performUpdate\"") == true)
    #expect(tool.folder.names(in: "Hello/Hello.app/PlugIns/HelloWidget.appex") == ["Info.plist"])
  }

  /// Each command of the README that a project comes with, in the order given, in the project's folder.
  @Test(arguments: ["today", "share", "action"], ["python", "node"])
  func `makes a README whose commands work`(_ point: String, _ language: String) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let tool = try HostTool()
    #expect(try await tool("new", point, "Hello", "--language", language, "--into", tool.folder.path).status == 0)
    let listings = CommandListing.all(in: try #require(tool.folder.contents("Hello/README.md")))
    #expect(listings.flatMap(\.commands).count > 5)
    let reader = Reader(tool, in: "\(tool.folder.path)/Hello")
    for command in listings.flatMap(\.commands) { try await reader.run(command) }
    #expect(try await tool("list").stdout.contains("org.example.hello"))
  }

  /// `Scripts/outside` runs the commands of the sample's README, which are those of every Swift package.
  @Test func `makes the README of the sample package`() async throws {
    let tool = try HostTool()
    let made = try await tool(
      "new", "today", "Weather", "--identifier", "com.example.weather", "--into", tool.folder.path, "--annex",
      Build.package)
    #expect(made.status == 0, "\(made)")
    let sample = try String(contentsOfFile: "\(Build.package)/Plugins/Weather/README.md", encoding: .utf8)
    #expect(tool.folder.contents("Weather/README.md") == sample)
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
