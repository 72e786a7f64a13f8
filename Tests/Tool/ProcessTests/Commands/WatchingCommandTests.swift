import JSONRPC
import Foundation
import JSON
import Testing

/// Commands that go on, or show what comes as it comes.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `A command that watches` {
  private static let group = "group.com.example.adventures"
  private static let visits = "com.example.adventures.visits"

  static let watching: [(words: [String], sign: String)] = [
    (["list", "--watch"], "com.example"), (["list", "--watch", "--json"], "com.example"),
    (["defaults", "watch", group], "Watching"), (["defaults", "watch", group, "--json"], "ready"),
    (["today", visits, "--watch"], "Visit 1"), (["today", visits, "--watch", "--json"], "Visit 1"),
  ]

  @Test(arguments: watching) func `ends at Ctrl-C without a word`(words: [String], sign: String) async throws {
    let program = try HostTool().start(words)
    _ = try await program.hear(sign)
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 130, "\(output)")
    #expect(!output.stderr.contains("error") && !output.stderr.contains("cancel"), "\(output)")
    guard words.contains("--json") else { return }
    for line in output.stdout.split(separator: "\n") { _ = try JSONValue(parsing: String(line)) }
  }

  @Test func `is not woken by the widgets of another one`() async throws {
    let host = try HostTool()
    let words = ["today", Self.visits, "--watch", "--json", "--interval", "3600"]
    let watchers = [try host.start(words), try host.start(words)]
    for watcher in watchers { _ = try await watcher.hear("\"event\":\"update\"") }
    for number in 1...3 {
      let value = "\(1000 * number)"
      #expect(try await host("defaults", "write", Self.group, "visits", value, "--type", "int").status == 0)
      // Both count on from there, in whatever order.
      for watcher in watchers { _ = try await watcher.hear("Visit \(number)00") }
    }
    for watcher in watchers {
      watcher.signal(SIGINT)
      let updates = try await watcher.finish().stdout.split(separator: "\n").count { $0.contains("\"update\"") }
      #expect(updates == 4)
    }
  }

  /// A widget that never answers, and one that does.
  private func folder() throws -> (folder: TemporaryFolder, words: [String]) {
    let folder = try TemporaryFolder()
    let hangs = try Script.install("ahangs", in: folder, "time.sleep(300)")
    let quick = try Script.install("quick", in: folder, "show(\"here at once\")")
    return (
      folder, ["today", hangs, quick, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    )
  }

  @Test func `shows a widget while another one hangs, as a line of JSON`() async throws {
    let (folder, words) = try folder()
    let program = try HostTool(folder).start(words + ["--json", "--stream"])
    let early = try await program.hear("here at once")
    #expect(!early.contains("ahangs"))
    #expect(try JSONValue(parsing: String(early.prefix { $0 != "\n" }))["view"]?["text"] == "here at once")
    let output = try await program.finish()
    #expect(output.status == 1, "\(output)")
    let lines = try output.stdout.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines.count == 2 && lines[1]["error"]?["name"] == "deadlineExceeded", "\(output)")
  }

  @Test func `shows a widget while another one hangs, into a pipe, in the order of arrival`() async throws {
    let (folder, words) = try folder()
    let program = try HostTool(folder).start(words)
    let early = try await program.hear("here at once")
    #expect(early.hasPrefix("quick\n  here at once"), "\(early)")
    program.signal(SIGINT)
    #expect(try await program.finish().status == 130)
  }

  @Test func `shows a widget while another one hangs, at a terminal, in the order of the list`() async throws {
    let (folder, words) = try folder()
    let host = try HostTool(folder)
    let program = try TerminalProgram(
      "\(Build.products)/host", words,
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 }, in: folder)
    let early = try await program.hear("here at once")
    #expect(early.contains("ahangs …"), "\(early)")
    let (text, status) = try await program.finish()
    #expect(status == 1)
    let last = try #require(text.components(separatedBy: "\u{1b}[J").last)
    #expect(last.contains("quick\n  here at once\n") && !last.contains("…"), "\(last)")
    let order = [text.range(of: "ahangs\n", options: .backwards), text.range(of: "quick\n", options: .backwards)]
    #expect(try #require(order[0]).lowerBound < #require(order[1]).lowerBound, "\(text)")
  }

  @Test func `streams JSON only`() async throws {
    let output = try await HostTool()("today", "--stream")
    #expect(output.status == 64 && output.stderr.contains("--json --stream"), "\(output)")
  }

  @Test func `draws anew when its window is made narrower`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("wide", in: folder, "show(\"one two three four five six seven eight nine ten\")")
    let host = try HostTool(folder)
    let program = try host.atTerminal(
      "today", id, "--watch", "--interval", "3600", "--manifests", "\(folder.path)/manifests", "--manifests",
      Build.fixtures)
    try await program.hear("eight nine ten")
    program.resize(columns: 24, lines: 30)
    let narrow = try await program.hear("nine ten")
    #expect(narrow.contains("  one two three four") && !narrow.contains("four five six seven eight"), "\(narrow)")
    program.signal(SIGINT)
    #expect(try await program.finish().status == 130)
  }
}
