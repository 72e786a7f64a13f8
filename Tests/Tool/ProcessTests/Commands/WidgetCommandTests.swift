import JSONRPC
import Foundation
import JSON
import Testing

/// Widgets from run to run.
@Suite(.timeLimit(.minutes(1)))
struct `A widget at the command line` {
  private static let today = "com.example.adventures.today"
  private static let visits = "com.example.adventures.visits"

  private func tool(_ name: String, _ body: String) throws -> (host: HostTool, words: [String]) {
    let folder = try TemporaryFolder()
    let id = try Script.install(name, in: folder, body)
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    return (try HostTool(folder), ["today", id] + options)
  }

  @Test func `is hidden by its app, is not started, and comes back`() async throws {
    let host = try HostTool()
    #expect(try await host("open-url", "adventures://widget/hide").stdout == "The widget is put away.\n")
    let hidden = try await host("today", Self.today)
    #expect(hidden.status == 0, "\(hidden)")
    #expect(hidden.stdout.hasPrefix("Adventures Today (hidden)\n"))
    let document = try await host("today", Self.today, "--json").json[0]
    #expect(document?["hidden"] == true)
    #expect(document?["view"] == .null)
    #expect(host.folder.names(in: "home/containers") == ["com.example.adventures"])
    #expect(try await host("open-url", "adventures://widget/show").status == 0)
    #expect(try await !host("today", Self.today).stdout.contains("hidden"))
    #expect(host.folder.names(in: "home/containers").contains(Self.today))
  }

  @Test(.enabled(if: Script.isAvailable))
  func `may hide itself, and then not bring itself back`() async throws {
    let (host, words) = try tool(
      "shy",
      """
      id = "com.example.fixtures.shy"
      call("widget/setHasContent", {"flag": False, "bundleIdentifier": id})
      refused = call("widget/setHasContent", {"flag": True, "bundleIdentifier": id})
      open(directories["container"] + "/code", "w").write(str(refused["error"]["code"]))
      show("gone")
      """)
    #expect(try await host(words).stdout.hasPrefix("shy (hidden)\n"))
    #expect(host.folder.contents("home/containers/com.example.fixtures.shy/code") == "-32022")
    #expect(try await host(words + ["--json"]).json[0]?["hidden"] == true)
    #expect(host.folder.names(in: "home/snapshots").isEmpty)
  }

  @Test(.enabled(if: Script.isAvailable))
  func `is larger when it asks for it and the user wants it`() async throws {
    let (host, words) = try tool(
      "tall",
      """
      if method == "widget/performUpdate":
          room = call("widget/setLargestAvailableDisplayMode", {"mode": "expanded"})["result"]
          asked = call("widget/setPreferredContentSize", {"height": 9})["result"]
          rows = [{"title": "Row %d" % n} for n in range(20)]
          title = " ".join([params["displayMode"], room["activeDisplayMode"], str(asked["grantedSize"]["height"])])
          answer({"result": "newData", "view": {"title": title, "rows": rows}})
      else:
          answer({"view": {"title": params["displayMode"] + " now", "rows": [{"title": "x"}] * 20}})
      """)
    let compact = try await host(words)
    #expect(compact.stdout.hasPrefix("tall\n  compact compact 6\n  Row 0\n"), "\(compact)")
    #expect(compact.stdout.hasSuffix("  Row 4\n  … and 15 more (--expanded shows more)\n"), "\(compact)")
    // It said that it can be expanded: now it is from the beginning.
    let expanded = try await host(words + ["--expanded"])
    #expect(expanded.stdout.hasPrefix("tall\n  expanded expanded 9\n"), "\(expanded)")
    #expect(expanded.stdout.hasSuffix("  Row 7\n  … and 12 more\n"), "\(expanded)")
    // A host that does not know it yet says so when the widget has said it.
    try host.folder.remove("home/widgets")
    #expect(try await host(words + ["--expanded"]).stdout.hasPrefix("tall\n  expanded now\n"))
  }

  @Test(.enabled(if: Script.isAvailable))
  func `that shows what it may not is refused by name`() async throws {
    let (host, words) = try tool(
      "greedy",
      #"answer({"result": "newData", "view": {"rows": [{"title": "a"}, {"kind": "input", "title": "Name"}]}})"#)
    let output = try await host(words)
    #expect(output.status == 1)
    #expect(output.stderr.contains("Row 2 asks for text input, which a widget may not have."), "\(output)")
  }

  @Test(.enabled(if: Script.isAvailable))
  func `that fails is remembered as stale, and hears that it is seen`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "fickle", in: folder,
      """
      path = directories["container"] + "/count"
      count = int(open(path).read()) if os.path.exists(path) else 0
      open(path, "w").write(str(count + 1))
      show("good") if count == 0 else answer({"result": "failed"})
      """, notification: "open(directories['container'] + '/heard', 'a').write(method + ' ')")
    let host = try HostTool(folder)
    let words = ["today", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    #expect(try await host(words).status == 0)
    #expect(try await host(words).stdout == "fickle (stale)\n  good\n")
    let heard = folder.contents("home/containers/\(id)/heard") ?? ""
    #expect(heard.contains("widget/viewWillAppear widget/viewDidDisappear"), "\(heard)")
    let record = try JSONValue(parsing: folder.contents("home/widgets/\(id).json") ?? "")
    #expect(record["failures"] == 1)
    let wait = (record["notBefore"]?.doubleValue ?? 0) - (record["lastUpdate"]?.doubleValue ?? 0)
    #expect(wait == 60)
    // Watching shows the stored view at once, and does not ask again within the minute.
    let program = try host.start(words + ["--watch", "--json", "--interval", "1"])
    let text = try await program.hear("\"event\":\"update\"")
    program.signal(SIGTERM)
    #expect(try await program.finish().status == 143)
    let first = try JSONValue(parsing: String(text.prefix { $0 != "\n" }))
    #expect(first["event"] == "snapshot")
    #expect(first["stale"] == true)
    #expect(first["view"]?["text"] == "good")
  }

  @Test func `that is watched is updated when its group changes`() async throws {
    let host = try HostTool()
    let program = try host.start(["today", Self.visits, "--watch", "--json", "--interval", "3600"])
    _ = try await program.hear("Visit 1")
    let write = try await host("defaults", "write", "group.com.example.adventures", "visits", "41", "--type", "int")
    #expect(write.status == 0)
    _ = try await program.hear("Visit 42")
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 130, "\(output)")
    // What the widget writes itself is no reason to update it again.
    #expect(output.stdout.split(separator: "\n").count == 2, "\(output)")
  }

  @Test(arguments: ["0", "x", "-1"]) func `is watched in whole seconds`(interval: String) async throws {
    #expect(try await HostTool()("today", "--watch", "--interval", interval).status == 64)
  }
}
