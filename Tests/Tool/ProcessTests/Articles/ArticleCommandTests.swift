import Foundation
import JSON
import TestSupport
import Testing

/// The commands of the README and the articles, each run in the order given in the folder of a fresh clone.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `The commands of a document` {
  @Test(arguments: try Cases.present(CommandListing.documents)) func `work in the order given`(_ document: String)
    async throws
  {
    let reader = try Reader()
    for listing in CommandListing.all(in: CommandListing.text(of: document)) where listing.exemption == nil {
      for command in listing.commands { try await reader.run(command) }
    }
    try await reader.end()
  }

  @Test func `are found, and few are exempt`() {
    let listings = CommandListing.documents.flatMap { CommandListing.all(in: CommandListing.text(of: $0)) }
    #expect(listings.flatMap(\.commands).count { $0.contains("host ") } > 50)
    #expect(listings.count { $0.exemption != nil } <= 3)
    let commands = CommandListing.all(
      in: "<!-- not run: no -->\n```sh\na#b  # c\n\n# d\n```\n```sh\ne\n```\n```js\nf\n```")
    #expect(commands.map(\.commands) == [["a#b"], ["e"]] && commands.map(\.exemption) == ["no", nil])
  }
}

@Suite(.timeLimit(.minutes(3)), .enabled(if: Script.isAvailable))
struct `The README` {
  /// Digits stand for each other: a widget shows the time.
  private static func lines(_ picture: String) -> [String] {
    picture.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { String($0.replacing(/[0-9]/, with: "0")) }
  }

  @Test func `shows what host today prints`() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/today.svg"
    let drawn = try await Program(
      "\(Build.package)/Scripts/picture", [Build.products, "-o", file], environment: ["PATH": "/usr/bin:/bin"]
    ).finish()
    #expect(drawn.status == 0, "\(drawn)")
    let kept = try String(contentsOfFile: "\(Build.package)/Sources/Documentation/today.svg", encoding: .utf8)
    let now = try #require(folder.contents("today.svg"))
    #expect(Self.lines(now).count > 10)
    #expect(Self.lines(now) == Self.lines(kept), "Run make picture, look at the picture, and commit it.")
  }

  @Test func `names targets of make that are there`() {
    let makefile = CommandListing.text(of: "Makefile")
    let commands = CommandListing.all(in: CommandListing.text(of: "README.md")).flatMap(\.commands)
    #expect(!commands.isEmpty)
    for command in commands where command.hasPrefix("make ") {
      #expect(makefile.contains("\n\(command.dropFirst("make ".count)):"), "\(command)")
    }
  }

  @Test func `is a front page`() {
    let words = CommandListing.text(of: "README.md").split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 700, "Move what is for fewer readers into an article.")
  }
}

@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `The article on other languages` {
  private static let text = CommandListing.text(of: "Sources/Documentation/AppExtensions.docc/AnotherLanguage.md")

  private static func block(_ beginning: String) throws -> String {
    let block = try #require(text.components(separatedBy: "```").first { $0.hasPrefix("xml\n\(beginning)") })
    return String(block.dropFirst("xml\n".count))
  }

  @Test func `says what the manifest of a Share extension needs`() async throws {
    let rule = try Self.block("<key>NSExtensionAttributes</key>")
    let folder = try TemporaryFolder()
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures, "--json"]
    for (name, attributes, state) in [("ruled", rule, "enabled"), ("unruled", "", "invalid")] {
      let id = try Script.install(
        name, point: "com.apple.share-services", in: folder, attributes: attributes, "answer({})")
      let output = try await HostTool()(["list", "--id", id] + options)
      #expect(try output.json[0]?["state"] == .string(state), "\(output)")
    }
  }

  /// The two manifests of the article, with a script beside them.
  @Test func `has a manifest with which a script runs`() async throws {
    let host = try HostTool()
    let app = ManifestText.bundle("org.example.hello", "Hello", "APPL")
    try host.folder.write("hello/app.plist", app)
    try host.folder.write("hello/widget.plist", try Self.block("<plist"))
    try host.folder.write(
      "hello/hello.py",
      """
      import json, sys
      answers = {"initialize": {"protocolVersion": "1.0"}, "terminate": {},
                 "widget/performUpdate": {"result": "newData", "view": "Hello from the article"}}
      for line in sys.stdin:
          request = json.loads(line)
          if "id" in request:
              print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answers[request["method"]]}), flush=True)
          if request["method"] == "terminate":
              break
      """)
    for path in ["", "/hello"] { chmod(host.folder.path + path, 0o755) }
    let shown = try await host("today", "org.example.hello.widget", "--manifests", "\(host.folder.path)/hello")
    #expect(shown.status == 0 && shown.stdout.contains("Hello from the article"), "\(shown)")
  }
}
