import JSONRPC
import ExtensionProtocol
import Foundation
import HTTPServer
import JSON
import Synchronization
import Testing

/// What an extension can do with each permission and cannot do without: the effect is looked at, not the record.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `The effect of a permission` {
  private static let group = "group.com.example.shared"
  private static let entitlement = """
    <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
    <array><string>\(group)</string></array></dict>
    """

  private static func manifests(_ folder: TemporaryFolder) -> [String] {
    ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
  }

  /// Decides, or forgets what was decided.
  private func decide(_ host: HostTool, _ id: String, _ name: String, _ state: PermissionState) async throws {
    let word = [PermissionState.granted: "grant", .denied: "deny", .undecided: "reset"][state] ?? ""
    let output = try await host(["permissions", id, word, name] + Self.manifests(host.folder))
    #expect(output.status == 0, "\(output)")
  }

  /// Runs an extension before a decision, and after each that a user may come to; what holds last was taken back.
  private func withEveryState(
    of name: String, for id: String, _ host: HostTool,
    _ body: (_ state: PermissionState, _ output: Program.Output) async throws -> Void
  ) async throws {
    for state in [nil, .denied, .granted, .denied, .granted, .undecided] as [PermissionState?] {
      if let state { try await decide(host, id, name, state) }
      try await body(state ?? .undecided, try await host(["today", id] + Self.manifests(host.folder)))
    }
  }

  @Test func `to generate code is that the code runs`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    try folder.write("manifests/none", "")
    let id = "com.example.fixtures.compiler"
    try await withEveryState(of: "jit", for: id, host) { state, output in
      #expect(output.status == 0, "\(output)")
      let refused = String(cString: strerror(EPERM))
      let expected = state == .granted ? "ran, ran" : "\(refused), \(refused)"
      #expect(output.stdout.contains(expected), "\(state): \(output)")
    }
  }

  @Test func `to generate code is that an interpreter starts which needs it`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let id = try Script.install(
      "engine", in: folder, annex: "<key>Entitlements</key><array><string>jit</string></array>",
      """
      import mmap
      rights = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
      show("made %d" % len(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=rights)))
      """)
    try await withEveryState(of: "jit", for: id, host) { state, output in
      if state == .granted {
        #expect(output.stdout.contains("made 4096"), "\(output)")
      } else {
        // What it showed when it was allowed to may still be shown.
        #expect(output.status == 77, "\(output)")
        #expect(
          output.stderr.contains("Run “host permissions \(id) grant jit ") && output.stderr.contains("to allow it."),
          "\(output)")
      }
    }
    // It never ran, so nothing has failed.
    #expect(try await host(["why", id] + Self.manifests(folder)).status == 0)
  }

  @Test(.enabled(if: NodeProgram.isAvailable, "needs /usr/bin/node"))
  func `to generate code is that Node starts`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let id = try Script.install(
      "node", in: folder, annex: "<key>Entitlements</key><array><string>jit</string></array>", "")
    let manifest = try #require(folder.contents("manifests/node.plist"))
    try folder.write("manifests/node.plist", manifest.replacing(Script.interpreter, with: "/usr/bin/node"))
    try folder.write(
      "Plugins/node.py",
      """
      const lines = require("readline").createInterface({ input: process.stdin })
      const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
      lines.on("line", (line) => {
        const { id, method } = JSON.parse(line)
        if (method === "initialize") send(id, { protocolVersion: "1.0" })
        else if (method === "widget/performUpdate") send(id, { result: "newData", view: "from node" })
        else if (method === "terminate") { send(id, {}); process.exit(0) }
      })
      """, mode: 0o755)
    for state in [PermissionState.undecided, .denied] {
      if state == .denied { try await decide(host, id, "jit", state) }
      let refused = try await host(["today", id] + Self.manifests(folder))
      #expect(refused.status == 77 && refused.stderr.contains("host permissions \(id) grant jit"), "\(refused)")
    }
    try await decide(host, id, "jit", .granted)
    let output = try await host(["today", id] + Self.manifests(folder))
    #expect(output.stdout.contains("from node"), "\(output)")
  }

  @Test func `to use the network is that a server hears of it`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let heard = Mutex(0)
    let server = HTTPServer { _ in
      heard.withLock { $0 += 1 }
      return ServerResponse(text: "ok")
    }
    try await server.withRunning { address in
      let id = try Script.install(
        "fetcher", in: folder, annex: "<key>Network</key><array><string>127.0.0.1:*</string></array>",
        """
        reply = call("network/fetch", {"url": "\(address.url)"})
        show("code %s" % reply.get("error", {}).get("code", "none"))
        """)
      try await withEveryState(of: "network", for: id, host) { state, output in
        let count = heard.withLock { count in
          defer { count = 0 }
          return count
        }
        #expect(count == (state == .granted ? 1 : 0), "\(state)")
        #expect(output.stdout.contains(state == .granted ? "code none" : "code -32022"), "\(state): \(output)")
      }
    }
  }

  // MARK: App groups

  /// An app with the group, and a widget in it.
  ///
  /// - Returns: the widget's identifier.
  private func install(_ app: String, _ body: String, in folder: TemporaryFolder) throws -> String {
    let name = app.split(separator: ".").joined()
    let id = try Script.install(name, in: folder, body)
    let manifest = try #require(folder.contents("manifests/\(name).plist"))
    try folder.write(
      "manifests/\(name).plist",
      manifest.replacing("<key>NSExtension</key>", with: Self.entitlement + "<key>NSExtension</key>")
        .replacing("\(id)<", with: "\(app).widget<"))
    try folder.write(
      "manifests/\(name)-app.plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(app)</string>
      <key>CFBundleExecutable</key><string>None</string><key>CFBundlePackageType</key><string>APPL</string>
      <key>CFBundleName</key><string>\(app)</string><key>CFBundleVersion</key><string>1</string>\(Self.entitlement)
      </dict></plist>
      """)
    return "\(app).widget"
  }

  /// Keeps a secret in the group: in its folder, and among its values.
  private static let keeps = """
    open(directories["groups"]["\(group)"]["path"] + "/secret", "w").write("treasure")
    reply = call("defaults/set", {"suite": "\(group)", "key": "secret", "value": "treasure"})
    show("kept" if "result" in reply else reply)
    """

  /// The calls among them.
  private static let ways = ["get", "all", "follow", "set", "path"]
  /// Every way to the group, and what came of it.
  private static let steals = """
    path = directories["container"] + "/../../groups/\(group)"
    named = directories["groups"].get("\(group)", {}).get("path", path)
    def code(name, more):
        reply = call(name, {"suite": "\(group)", **more})
        return str(reply.get("error", {}).get("code", "done"))
    def done(action):
        return attempt(lambda: action() and "done" or "done")
    show(" ".join([
        "read=" + str(attempt(lambda: open(named + "/secret").read())).replace(" ", ""),
        "write=" + done(lambda: open(named + "/planted", "w").close()).replace(" ", ""),
        "list=" + done(lambda: os.listdir(named)).replace(" ", ""),
        "get=" + code("defaults/get", {"key": "secret"}),
        "all=" + code("defaults/all", {}),
        "follow=" + code("defaults/follow", {}),
        "set=" + code("defaults/set", {"key": "planted", "value": "x"}),
        "path=" + str(call("container/path", {"group": "\(group)"}).get("error", {}).get("code", "done")),
    ]))
    """

  @Test func `to join a group is that its files and values are there`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let owner = try install("com.example.first", Self.keeps, in: folder)
    let thief = try install("org.evil", Self.steals, in: folder)
    #expect(try await host(["today", owner] + Self.manifests(folder)).stdout.contains("kept"))
    let planted = "\(host.home)/groups/\(Self.group)/planted"
    try await withEveryState(of: "group", for: thief, host) { state, output in
      #expect(output.status == 0, "\(output)")
      if state == .granted {
        for way in Self.ways { #expect(output.stdout.contains("\(way)=done"), "\(output)") }
      } else {
        for way in Self.ways { #expect(output.stdout.contains("\(way)=-32022"), "\(state): \(output)") }
        #expect(!output.stdout.contains("treasure") && !FileManager.default.fileExists(atPath: planted), "\(output)")
      }
      // Under a root host the apps are two users, and a folder belongs to one.
      if state == .granted, geteuid() != 0 {
        #expect(output.stdout.contains("read=treasure write=done list=done"), "\(output)")
        #expect(FileManager.default.fileExists(atPath: planted))
      }
      try? FileManager.default.removeItem(atPath: planted)
    }
    // The owner is never asked, and its guests are by their own names: the app, and its widget.
    let rows = try await host(["permissions", "--json"] + Self.manifests(folder)).json.arrayValue ?? []
    let asked = rows.filter { $0["permission"] == "group" }
    #expect(asked.map { $0["id"]?.stringValue } == ["org.evil", thief])
    #expect(asked.allSatisfy { $0["scope"] == [.string(Self.group)] })
    #expect(try await host(["today", owner] + Self.manifests(folder)).stdout.contains("kept"))
  }

  @Test func `to join a group ends with the process when it is taken back`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let owner = try install("com.example.first", Self.keeps, in: folder)
    let guest = try install(
      "org.guest",
      """
      send({"method": "$/log", "params": {"level": "warning", "message": "at work"}})
      while "permissions/didChange" not in sys.stdin.readline():
          pass
      send({"id": 7, "method": "defaults/get", "params": {"suite": "\(Self.group)", "key": "secret"}})
      reply = {}
      while reply.get("id") != 7:
          reply = json.loads(sys.stdin.readline())
      send({"method": "$/log", "params": {"level": "warning", "message": "then %d" % reply["error"]["code"]}})
      sys.stdin.readline()
      """, in: folder)
    _ = try await host(["today", owner] + Self.manifests(folder))
    try await decide(host, guest, "group", .granted)
    let running = try host.start(["today", guest] + Self.manifests(folder))
    _ = try await running.hear("at work")
    try await decide(host, guest, "group", .denied)
    let output = try await running.finish()
    #expect(output.status == 77, "\(output)")
    #expect(output.stderr.contains("then -32022"), "\(output)")
    #expect(output.stderr.contains("the permission “group” was taken away while it ran"), "\(output)")
  }
}
