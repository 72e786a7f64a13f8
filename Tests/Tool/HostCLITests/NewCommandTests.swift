import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Foundation
import JSON
import TestSupport
import Testing
import Text

@testable import HostCLI

/// `host new`.
@Suite(.timeLimit(.minutes(1)))
struct `A project that is made` {
  private static let tool = shellWord(CommandLine.arguments.first ?? "host")
  private static let id = "org.example.hello.widget"
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private var path: String { stage.folder.file("Hello") }

  private func make(_ words: String...) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await NewCommand.run(try stage.invocation(["new"] + words + ["--into", stage.folder.path]))
  }

  private func readMe() throws -> String { try String(contentsOfFile: "\(path)/README.md", encoding: .utf8) }

  @Test func `is told with the commands that run it`() async throws {
    #expect(try await make("today", "Hello", "--language", "python") == .success)
    #expect(
      stage.lines == [
        "Made \(Self.id) in \(path). To run it:",
        "\(Self.tool) today \(Self.id) --manifests \(shellWord("\(path)/Hello.app"))",
        "To have it run again whenever you save a file:", "\(Self.tool) dev \(shellWord(path))",
      ])
    #expect(stage.errors == "")
    #expect(try readMe().contains("host today \(Self.id) --manifests Hello.app\n"))
  }

  @Test func `is told in JSON with its files`() async throws {
    #expect(
      try await make("today", "Hello", "--language", "bash", "--identifier", "com.example.hi", "--json") == .success)
    let document = try #require(stage.document)
    #expect(document["path"] == .string(path) && document["app"] == "com.example.hi")
    #expect(document["id"] == "com.example.hi.widget")
    #expect(
      document["files"] == [
        ".gitignore", "Hello.app/Info.plist", "Hello.app/PlugIns/HelloWidget.appex/Info.plist",
        "Hello.app/PlugIns/HelloWidget.appex/main.sh", "README.md",
      ])
    let run = "\(Self.tool) today com.example.hi.widget --manifests \(shellWord("\(path)/Hello.app"))"
    #expect(document["run"] == .string(run) && document["work"] == .string("\(Self.tool) dev \(shellWord(path))"))
  }

  @Test func `is made before it is run, where it is a program`() async throws {
    #expect(try await make("today", "Hello", "--language", "c") == .success)
    let run = "\(Self.tool) today \(Self.id) --manifests \(shellWord("\(path)/Hello.app"))"
    #expect(stage.lines.contains("make -C \(shellWord(path)) && \(run)"))
    #expect(try readMe().contains("make && host today \(Self.id) --manifests Hello.app\n"))
  }

  @Test func `is built before it is run, where it is a package`() async throws {
    #expect(try await make("today", "Hello", "--annex", "https://example.org/annex.git") == .success)
    let run = "\(Self.tool) today \(Self.id) --manifests \(shellWord("\(path)/Manifests"))"
    #expect(stage.lines.contains("swift build --package-path \(shellWord(path)) && \(run)"))
    #expect(try readMe().contains("swift build && host today \(Self.id) --manifests Manifests\n"))
  }

  @Test func `names a package that there is`() async throws {
    let place = stage.folder.file("none")
    let error = await #expect(throws: ExtensionError.self) { try await make("today", "Hello", "--annex", place) }
    #expect(error?.code == .extensionUnknown && error?.message == "There is no Swift package in “\(place)”.")
    #expect(stage.output == "" && !FileManager.default.fileExists(atPath: path))
  }

  @Test func `is of a point that there is`() async throws {
    let error = await #expect(throws: CommandLineError.self) {
      try await make("tody", "Hello", "--language", "python")
    }
    #expect(error?.message == "“tody” is not an extension point." && stage.output == "")
  }

  private static let trials: [(point: String, words: [String])] = [
    ("today", ["today", "a.b"]),
    ("share", ["share", "--with", "a.b", "--text", "A text to share", "--post", "See you there"]),
    ("action", ["action", "--with", "a.b", "--text", "A text with five words"]),
    ("action-ui", ["action", "--with", "a.b", "--text", "A text with five words"]), ("photo", ["conform", "a.b"]),
  ]

  @Test(arguments: trials) func `is tried by a command of its point`(point: String, words: [String]) {
    #expect(PointTrial.words(for: point, "a.b") == words)
  }
}

/// The author's own files, as the commands of `host dev` are told of them.
@Suite(.timeLimit(.minutes(1)))
struct `Paths of an author's files` {
  private static func read(_ text: String?) -> [[String]] {
    AuthorPaths.read(text.map { [AuthorPaths.variable: $0] } ?? [:]).map { [$0.copy, $0.original] }
  }

  @Test func `are pairs`() {
    #expect(Self.read("a\nb") == [["a", "b"]] && Self.read("a\nb\nc\nd") == [["a", "b"], ["c", "d"]])
  }

  @Test func `are none without a pair`() {
    #expect(
      Self.read(nil) == [] && Self.read("") == [] && Self.read("a") == [] && Self.read("a\nb\nc") == [["a", "b"]])
  }

  @Test func `come back as they were written, but for those with a line end`() {
    let text = AuthorPaths.text([("a", "b"), ("c\n", "d"), ("e", "f\n"), ("g", "h")])
    #expect(text == "a\nb\ng\nh" && Self.read(text) == [["a", "b"], ["g", "h"]])
    #expect(AuthorPaths.text([]) == "")
  }
}
