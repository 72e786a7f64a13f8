import Foundation
import JSON
import JSONRPC
import Testing

/// What `host logs` shows of the file of an extension, which a test writes as a host does.
@Suite(.timeLimit(.minutes(1)))
struct `host logs on a file` {
  private static let clock = "com.example.adventures.clock"
  /// 08:07:10 of a day, in milliseconds.
  private static let time: Int64 = 1_128_845_230_000

  private func tool() throws -> HostTool {
    var host = try HostTool()
    host.variables["TZ"] = "UTC"
    return host
  }

  /// Replaces the file at once, so that nobody reads a part of it.
  private func write(_ lines: [String], of host: HostTool) throws {
    let text = lines.map { "\(Self.time) \($0)\n" }.joined()
    let file = try host.folder.write("next", text)
    try host.folder.write("home/logs/other", "")
    let path = "\(host.home)/logs/\(Self.clock).log"
    #expect(rename(file, path) == 0)
  }

  @Test func `shows each line once while lines come and go`() async throws {
    let host = try tool()
    try write(["print öne"], of: host)
    let follower = try host.start(["logs", Self.clock, "--follow"])
    _ = try await follower.hear("öne")
    try write(["print öne", "info two"], of: host)
    _ = try await follower.hear("two")
    try write(["print öne", "info two", "print same", "print same"], of: host)
    _ = try await follower.hear("same\n08:07:10  same")
    // The first lines are gone, and of two that are alike the last was shown.
    try write(["print same", "print same", "print five"], of: host)
    _ = try await follower.hear("five")
    // Of what is there now nothing was shown.
    try write(["print six"], of: host)
    _ = try await follower.hear("six")
    try write(["print six", "print seven"], of: host)
    _ = try await follower.hear("seven")
    follower.signal(SIGINT)
    let output = try await follower.finish()
    let texts = ["öne", "info: two", "same", "same", "five", "six", "seven"]
    #expect(output.stdout == texts.map { "08:07:10  \($0)\n" }.joined(), "\(output)")
    #expect(output.status == 130 && output.stderr == "", "\(output)")
  }

  @Test func `is a document, and a line for each line while they come`() async throws {
    let host = try tool()
    // Before there is any, and before the extension has a file.
    let none = try await host("logs", Self.clock, "--json")
    #expect(none.status == 0 && none.stderr == "", "\(none)")
    #expect(try none.json == [])
    let follower = try host.start(["logs", Self.clock, "--follow", "--json"])
    try write(["print öne", "warning two"], of: host)
    _ = try await follower.hear("two")
    try write(["print öne", "warning two", "print three"], of: host)
    _ = try await follower.hear("three")
    follower.signal(SIGINT)
    let lines = try await follower.finish().stdout.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let told = try await host("logs", Self.clock, "--json")
    #expect(told.status == 0 && told.stderr == "", "\(told)")
    #expect(try told.json.arrayValue == lines)
    #expect(lines.map { $0["text"] } == ["öne", "two", "three"])
    #expect(lines.map { $0["level"] } == ["print", "warning", "print"])
    #expect(lines.allSatisfy { $0["time"]?.doubleValue == 1_128_845_230 })
    // What it printed is there when the extension is not any more.
    try FileManager.default.moveItem(
      atPath: "\(host.home)/logs/\(Self.clock).log", toPath: "\(host.home)/logs/com.example.gone.log")
    let gone = try await host("logs", "com.example.gone")
    #expect(gone.status == 0 && gone.stdout.hasPrefix("08:07:10  öne\n"), "\(gone)")
    let unknown = try await host("logs", "com.example.nobody")
    #expect(unknown.status == 66 && unknown.stdout == "", "\(unknown)")
  }
}
