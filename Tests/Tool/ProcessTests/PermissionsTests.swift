import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HTTPServer
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A permission of a running extension` {
  private static let asksForNetwork = "<key>Network</key><array><string>127.0.0.1:*</string></array>"
  private static let asksForCode = "<key>Entitlements</key><array><string>jit</string></array>"

  private static func manifests(_ folder: TemporaryFolder) -> [String] {
    ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
  }

  /// Serves one request that is not answered before the body is over.
  private func withSlowServer(
    _ body: (_ url: String, _ arrivals: AsyncStream<Void>) async throws -> Void
  ) async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (held, release) = AsyncStream.makeStream(of: Void.self)
    try await HTTPServer { _ in
      arrived.yield()
      for await _ in held {}
      return ServerResponse(text: "late")
    }.withRunning { address in
      defer { release.finish() }
      try await body(address.url, arrivals)
    }
  }

  @Test func `that is taken back in another process is told first, then ends the fetch`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    try await withSlowServer { url, arrivals in
      let id = try Script.install(
        "fetcher", in: folder, annex: Self.asksForNetwork,
        """
        seen = []
        send({"id": 7, "method": "network/fetch", "params": {"url": "\(url)"}})
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("method") == "permissions/didChange":
                seen.append(message["params"]["name"] + "=" + message["params"]["state"])
            if message.get("id") == 7:
                error = message["error"]
                seen.append(str(error["code"]) + " " + error["data"]["details"]["state"])
                break
        seen.append(str(call("network/fetch", {"url": "\(url)"})["error"]["code"]))
        show(", ".join(seen))
        """)
      let options = Self.manifests(folder)
      #expect(try await host(["permissions", id, "grant", "network"] + options).status == 0)
      let running = try host.start(["today", id] + options)
      for await _ in arrivals { break }
      #expect(try await host(["permissions", id, "deny", "network"] + options).status == 0)
      let output = try await running.finish()
      #expect(output.stdout.contains("network=denied, -32022 denied, -32022"), "\(output)")
    }
  }

  @Test func `that the sandbox enforces ends the process when it is taken back`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let id = try Script.install(
      "compiler", in: folder, annex: Self.asksForCode,
      """
      send({"method": "$/log", "params": {"level": "warning", "message": "at work"}})
      sys.stdin.readline()
      time.sleep(60)
      """)
    let options = Self.manifests(folder)
    #expect(try await host(["permissions", id, "grant", "jit"] + options).status == 0)
    let running = try host.start(["today", id] + options)
    _ = try await running.hear("at work")
    #expect(try await host(["permissions", id, "deny", "jit"] + options).status == 0)
    let output = try await running.finish()
    #expect(output.status == 77, "\(output)")
    #expect(output.stderr.contains("the permission “jit” was taken away while it ran"), "\(output)")
  }

  @Test(arguments: [("WORD\n", "granted"), ("no\n", "denied"), ("\n", "undecided"), ("\u{4}", "undecided")])
  func `is asked for at a terminal, and an answer is kept`(keys: String, state: String) async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let id = try Script.install(
      "asker", in: folder, annex: Self.asksForNetwork,
      """
      reason = "To look\\x1b[2J around."
      show("state " + call("permission/request", {"name": "network", "reason": reason})["result"]["state"])
      """)
    let program = try TerminalProgram(
      "\(Build.products)/host", ["today", id] + Self.manifests(folder),
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 }, in: folder)
    program.type(keys.replacing("WORD", with: try await program.questionWord()))
    let shown = try await program.finish().text
    #expect(shown.contains("state \(state)"), "\(shown)")
    #expect(shown.contains("127.0.0.1:*") && shown.contains("around."), "\(shown)")
    #expect(!shown.contains("\u{1B}[2J"), "foreign text reaches the terminal")
    let rows = try await host(["permissions", id, "--json"] + Self.manifests(folder)).json
    #expect(rows[0]?["state"] == .string(state))
  }

  @Test(arguments: [([], "undecided"), (["--consent", "grant"], "granted"), (["--consent", "deny"], "denied")])
  func `follows the option where nobody sits at a terminal`(option: [String], state: String) async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let id = try Script.install(
      "asker", in: folder, annex: Self.asksForNetwork,
      """
      show("state " + call("permission/request", {"name": "network", "reason": ""})["result"]["state"])
      """)
    let output = try await host(["today", id] + option + Self.manifests(folder))
    #expect(output.stdout.contains("state \(state)"), "\(output)")
    let rows = try await host(["permissions", id, "--json"] + Self.manifests(folder)).json
    #expect(rows[0]?["state"] == "undecided")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The permissions command` {
  private static let headlines = "com.example.adventures.headlines"

  @Test func `decides, shows and forgets`() async throws {
    let host = try HostTool()
    for (words, state) in [
      (["grant", "network"], "granted"), (["deny", "network"], "denied"), (["reset"], "undecided"),
    ] {
      let rows = try await host(["permissions", Self.headlines] + words + ["--json"]).json
      #expect(rows[0]?["state"] == .string(state))
      #expect(Program.Output.names(rows[0]) == ["id", "permission", "state", "scope", "allows"])
      let listed = try await host("list", "--point", "today", "--json").json.arrayValue
      #expect(listed?.first { $0["id"]?.stringValue == Self.headlines }?["permissions"]?["network"] == .string(state))
      let table = try await host("list", "--permissions").stdout
      #expect(table.contains(state == "granted" ? "network," : "network (\(state))"), "\(table)")
    }
    let all = try await host("permissions").stdout
    #expect(all.contains("PERMISSION") && all.contains("127.0.0.1:*"))
  }

  @Test(arguments: [
    Misuse(
      words: ["permissions", "com.example.adventures.headlins"], error: "No extension is called",
      help: "Did you mean com.example.adventures.headlines?", status: 66),
    Misuse(
      words: ["permissions", headlines, "grant", "netwrk"], error: "There is no permission “netwrk”.",
      help: "Did you mean network?"),
    Misuse(
      words: ["permissions", headlines, "grant", "jit"], error: "does not ask for the permission “jit”",
      help: "Annex.Entitlements", status: 77),
    Misuse(words: ["permissions", headlines, "grant"], error: "needs the name of a permission", help: "network"),
    Misuse(words: ["permissions", headlines, "allow", "network"], error: "“allow”", help: "grant"),
    Misuse(words: ["today", "--consent", "maybe"], error: "“maybe”", help: "ask"),
  ])
  func `says what is wrong and what to do`(misuse: Misuse) async throws {
    let output = try await HostTool()(misuse.words)
    #expect(output.status == misuse.status, "\(output)")
    #expect(output.stdout.isEmpty)
    #expect(output.stderr.contains("error: ") && output.stderr.contains(misuse.error), "\(output)")
    #expect(output.stderr.contains("help: ") && output.stderr.contains(misuse.help), "\(output)")
  }

  @Test func `lets a sample fetch from a server of this machine`() async throws {
    let host = try HostTool()
    try await HTTPServer { _ in ServerResponse(text: "First\nSecond\n") }.withRunning { address in
      let suite = "group.com.example.adventures"
      #expect(try await host("defaults", "write", suite, "headlines.url", address.url).status == 0)
      let refused = try await host("today", Self.headlines)
      #expect(refused.status != 0)
      #expect(refused.stderr.contains("host permissions \(Self.headlines) grant network"), "\(refused)")
      #expect(try await host("permissions", Self.headlines, "grant", "network").status == 0)
      let output = try await host("today", Self.headlines)
      #expect(output.stdout.contains("First") && output.stdout.contains("Second"), "\(output)")
    }
  }

  @Test func `lets a sample read the beginning of a feed that is larger than anything it may keep`() async throws {
    let host = try HostTool()
    let feed = "First\n" + String(repeating: "\(String(repeating: "x", count: 99))\n", count: 90_000)
    try await HTTPServer { _ in ServerResponse(text: feed) }.withRunning { address in
      let suite = "group.com.example.adventures"
      #expect(try await host("defaults", "write", suite, "headlines.url", address.url).status == 0)
      #expect(try await host("permissions", Self.headlines, "grant", "network").status == 0)
      let output = try await host("today", Self.headlines, "--json").json[0]
      #expect(output?["result"] == "newData", "\(String(describing: output))")
    }
  }
}
