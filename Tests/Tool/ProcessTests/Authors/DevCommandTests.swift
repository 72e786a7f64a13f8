import Foundation
import JSON
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `host dev` {
  @Test func `runs again after a save, keeps the last good one, and leaves nothing behind`() async throws {
    let tool = try HostTool()
    let made = try await tool("new", "today", "Hello", "--language", "python", "--into", tool.folder.path)
    #expect(made.status == 0, "\(made)")
    let source = "Hello/Hello.app/PlugIns/HelloWidget.appex/main.py"
    let text = try String(contentsOfFile: "\(tool.folder.path)/\(source)", encoding: .utf8)
    let program = try Program(
      "\(Build.products)/host", ["dev", "\(tool.folder.path)/Hello"],
      environment: tool.environment.merging(["TMPDIR": tool.folder.path]) { $1 })
    _ = try await program.hear("Visit 1")
    _ = try await program.hear("Waiting for you")
    #expect(try await tool("list").stdout.contains("org.example.hello.widget"), "it is registered meanwhile")
    try tool.folder.write(source, text.replacing("Visit", with: "Look"))
    _ = try await program.hear("Look 2")
    try tool.folder.write(source, "def broken(:\n")
    let broken = try await program.hear("The last good Hello.app stays registered")
    #expect(broken.contains("main.py:1"), "\(broken)")
    let still = try await tool("today", "org.example.hello.widget")
    #expect(still.stdout.contains("Look 3"), "\(still)")
    program.signal(SIGINT)
    let ended = try await program.finish()
    #expect(ended.status == 130, "\(ended)")
    #expect(!ended.stderr.contains("error: cancel"), "\(ended)")
    #expect(try await !tool("list").stdout.contains("org.example.hello.widget"))
    #expect(tool.folder.names(in: "").allSatisfy { !$0.hasPrefix("annex-dev") })
  }

  @Test func `says with --once, and in JSON, what came of a build`() async throws {
    let tool = try HostTool()
    let into = ["--language", "python", "--into", tool.folder.path]
    #expect(try await tool(["new", "action", "Count"] + into).status == 0)
    let once = try await tool("dev", "\(tool.folder.path)/Count", "--once", "--json")
    #expect(once.status == 0, "\(once)")
    let events = once.stdout.split(separator: "\n")
    #expect(events.count == 3 && events.allSatisfy { $0.hasPrefix("{\"event\":") }, "\(once.stdout)")
    let facts = try events.map { try JSONValue(parsing: String($0)) }
    #expect(facts[0] == ["event": "building", "project": .string("\(tool.folder.path)/Count")])
    #expect(Program.Output.names(facts[1]) == ["event", "bundle", "seconds"] && facts[1]["event"] == "built")
    #expect(facts[1]["bundle"] == "Count.app" && facts[1]["seconds"]?.doubleValue.map { $0 >= 0 && $0 < 60 } == true)
    let command = "action --with org.example.count.action --text 'A text with five words'"
    #expect(
      facts[2] == ["event": "ran", "id": "org.example.count.action", "status": 0, "command": .string(command)])
    let other = try await tool("dev", "\(tool.folder.path)/Count", "--once", "--", "list", "--quiet")
    #expect(other.status == 0 && other.stdout.contains("org.example.count.action"), "\(other)")
    #expect(!other.stderr.contains("ended with"), "what went well says nothing more: \(other)")
    #expect(other.stderr.contains("Building \(tool.folder.path)/Count …\nBuilt Count.app in "), "\(other)")
    let nobody = ["dev", "\(tool.folder.path)/Count", "--once", "--", "today", "org.example.nobody"]
    let failed = try await tool(nobody)
    #expect(failed.status == 1, "\(failed)")
    #expect(failed.stderr.contains("“host today org.example.nobody” ended with 66.\n"), "\(failed)")
    // Nothing that was registered or approved is left, and a build that fails has no last good one.
    let record = try #require(tool.folder.contents("home/registry.json"))
    #expect(!record.contains("org.example.count"), "\(record)")
    try tool.folder.write("Count/Count.app/PlugIns/CountAction.appex/main.py", "def broken(:\n")
    let broken = try await tool("dev", "\(tool.folder.path)/Count", "--once", "--json")
    let last = try broken.stdout.split(separator: "\n").map { try JSONValue(parsing: String($0)) }.last
    #expect(broken.status == 1 && last == ["event": "failed", "lastGood": .null], "\(broken)")
    let text = try await tool("dev", "\(tool.folder.path)/Count", "--once")
    #expect(text.status == 1 && text.stderr.hasSuffix("The build failed.\n"), "\(text)")
  }
}
