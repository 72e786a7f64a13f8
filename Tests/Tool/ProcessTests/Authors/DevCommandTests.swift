import Foundation
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
    let other = try await tool("dev", "\(tool.folder.path)/Count", "--once", "--", "list", "--quiet")
    #expect(other.stdout.contains("org.example.count.action"), "\(other)")
    let failed = try await tool("dev", "\(tool.folder.path)/Count", "--once", "--", "today", "org.example.nobody")
    #expect(failed.status == 1, "\(failed)")
  }
}
