import JSONRPC
import Foundation
import JSON
import Testing

/// What a user pastes, types and completes.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `A command that is advised` {
  @Test func `has the folders that were named`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("crashing", in: folder, "sys.exit(3)")
    try folder.write("my home/keep", "")
    try FileManager.default.moveItem(atPath: "\(folder.path)/manifests", toPath: "\(folder.path)/it's")
    let host = try HostTool(folder)
    let named = [
      "--manifests", Build.fixtures, "--manifests", "\(folder.path)/it's", "--home", "\(folder.path)/my home",
    ]
    for _ in 0..<5 { _ = try await host(["today", id] + named) }
    let refused = try await host(["today", id] + named)
    let options = "--manifests \(Build.fixtures) --manifests '\(folder.path)/it'\\''s' --home '\(folder.path)/my home'"
    let advice = "host reset \(id) \(options)"
    #expect(refused.stderr.contains("\"\(advice)\""), "\(refused)")
    let document = try await host(["today", id, "--json"] + named).json[0]
    #expect(document?["error"]?["recovery"]?.stringValue?.contains(advice) == true, "\(String(describing: document))")
    #expect(try await host(["why", id] + named).stdout.contains(advice))
    // It works as it stands.
    #expect(try await host.shell("PATH=\(Build.products):$PATH && \(advice)").status == 0)
    #expect(try await host(["today", id] + named).stderr.contains("exited with status 3"))
  }

  @Test func `is plain where nothing was named`() async throws {
    let output = try await HostTool()("today", "com.example.nobody")
    #expect(output.stderr.contains("\"host list\""), "\(output)")
  }

  @Test(arguments: ["", " --json"])
  func `refuses the name of a file that is not UTF-8, and says which`(json: String) async throws {
    let output = try await HostTool().shell(#""$0" types "$(printf 'caf\351.txt')""# + json)
    #expect(output.status == 64, "\(output)")
    let said = json.isEmpty ? output.stderr : try output.json["message"]?.stringValue ?? ""
    #expect(said.contains(#"Argument 2 is not UTF-8: caf\xE9.txt"#), "\(output)")
  }

  @Test func `keeps no state in a folder whose name is not UTF-8`() async throws {
    let host = try HostTool()
    let output = try await host.shell(#"export ANNEX_HOME="$(printf '/tmp/annex-\377')"; exec "$0" list"#)
    #expect(output.status == 64 && output.stderr.contains(#"ANNEX_HOME=/tmp/annex-\xFF"#), "\(output)")
  }

  static let silent: [(words: [String], status: Int32)] = [
    ([], 64), (["--help"], 64), (["list", "--help"], 64), (["help", "list"], 64), (["defaults"], 64), (["serve"], 64),
    (["completions", "bash"], 64), (["--version"], 0),
    (["defaults", "export", "group.com.example.adventures", "-"], 0),
    (["defaults", "export", "group.com.example.adventures", "-", "--format", "plist"], 64),
    (["completions", "identifiers"], 0), (["zzz"], 64), (["today", "com.example.nobody"], 66),
  ]

  @Test(arguments: silent) func `prints JSON or nothing when it is asked for JSON`(
    words: [String], status: Int32
  ) async throws {
    let output = try await HostTool()(words + ["--json"])
    #expect(output.status == status, "\(output)")
    _ = try output.json
  }

  @Test func `completes identifiers from what is there`() async throws {
    let host = try HostTool()
    let printed = try await host("completions", "identifiers").stdout.split(separator: "\n").map(String.init)
    #expect(printed.contains("com.example.adventures.today") && printed == printed.sorted())
    let script = try host.folder.write("completion", try await host("completions", "bash").stdout)
    for line in ["host why com.example.adventures.tod", "host share --with com.example.adventures.tod"] {
      let words = line.split(separator: " ")
      let output = try await host.shell(
        """
        PATH=\(Build.products):$PATH; exec bash --norc -c '. \(script); COMP_WORDS=(\(line)); \
        COMP_CWORD=\(words.count - 1); _host_completions; echo "${COMPREPLY[*]}"'
        """)
      #expect(output.stdout == "com.example.adventures.today\n", "\(output)")
    }
  }

  @Test func `keeps its state below the working directory when the home is relative`() async throws {
    let host = try HostTool()
    for way in ["ANNEX_HOME=state; export ANNEX_HOME; \"$0\"", "\"$0\" --home state"] {
      let output = try await host.shell("cd \(host.folder.path) && \(way) today com.example.adventures.visits")
      #expect(output.status == 0, "\(output)")
    }
    #expect(host.folder.names(in: "state/store").contains("groups.sqlite"))
  }
}
