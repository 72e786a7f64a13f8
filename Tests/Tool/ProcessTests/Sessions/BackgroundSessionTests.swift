import JSONRPC
import EventLoop
import ExtensionProtocol
import Foundation
import HTTPServer
import JSON
import Synchronization
import Testing

/// Background sessions as users see them: the real tool, its daemon, sandboxed extensions and apps, a server on the loopback
/// interface.
@Suite(.timeLimit(.minutes(3)), .enabled(if: Script.isAvailable))
struct `A background session` {
  /// A server that keeps what is put, answers with bytes of its own, and can be held back.
  private final class Uploads: Sendable {
    private let bodies = Mutex<[String: [UInt8]]>([:])
    private let isHeld = Mutex(false)
    private let arrivals = Signal()

    func body(_ path: String) -> [UInt8]? { bodies.withLock { $0[path] } }

    /// The body that was put to a path, once it is there.
    func arrival(_ path: String) async throws -> [UInt8] {
      while true {
        let seen = arrivals.count
        if let body = body(path) { return body }
        try await arrivals.wait(past: seen)
      }
    }
    func hold(_ held: Bool) { isHeld.withLock { $0 = held } }

    func answer(_ request: ServerRequest) async -> ServerResponse {
      if isHeld.withLock({ $0 }) { return ServerResponse(status: 503, headers: [ServerField("Retry-After", "1")]) }
      guard request.method != "GET" else { return ServerResponse(body: [1, 2, 3, 4]) }
      bodies.withLock { $0[request.path] = request.body }
      arrivals.send()
      return ServerResponse(status: 201)
    }
  }

  private static let group = "group.com.example.adventures"
  private static let picture = [UInt8]("not quite a picture".utf8)

  /// Runs a body with the tool and a server, and ends the daemon afterwards.
  private func withServer(
    _ body: (_ host: HostTool, _ uploads: Uploads, _ url: String) async throws -> Void
  ) async throws {
    let uploads = Uploads()
    let host = try HostTool()
    try await HTTPServer { await uploads.answer($0) }.withRunning { address in
      do {
        try await body(host, uploads, address.url)
      } catch {
        await TransferDaemons.end(of: host)
        throw error
      }
      await TransferDaemons.end(of: host)
    }
  }

  /// Looks until something is so.
  private func until<Value>(_ body: () async throws -> Value?) async throws -> Value {
    let end = ContinuousClock.now + .seconds(45)
    while ContinuousClock.now < end {
      if let value = try await body() { return value }
      await Task.yield()
    }
    throw TooLate()
  }

  private struct TooLate: Error {}

  private func share(_ host: HostTool, _ url: String, _ arguments: String...) async throws -> Program.Output {
    try host.folder.write("caves.png", String(decoding: Self.picture, as: UTF8.self))
    _ = try await host("defaults", "write", Self.group, "uploads", url)
    return try await host(
      [
        "share", "\(host.folder.path)/caves.png", "--with", "com.example.adventures.share", "--post", "Caves",
        "--consent", "grant",
      ]
        + arguments)
  }

  @Test func `brings an upload of a Share extension to its server, and its app hears of it`() async throws {
    try await withServer { host, uploads, url in
      _ = try await host("permissions", "com.example.adventures.share", "grant", "network")
      let shared = try await share(host, url)
      #expect(shared.status == 0, "\(shared)")
      #expect(try await uploads.arrival("/caves.png") == Self.picture)
      let told = try await until {
        let output = try await host("open-url", "adventures://uploads")
        return output.stdout.contains("arrived, status 201") ? output.stdout : nil
      }
      #expect(told == "A picture arrived, status 201.\n")
      // With the last event everything is gone.
      let left = try await until {
        try await host("sessions", "list", "--json").json[0]?["events"] == .integer(0) ? true : nil
      }
      #expect(left)
    }
  }

  @Test func `is waited for where the user asks for it`() async throws {
    try await withServer { host, uploads, url in
      _ = try await host("permissions", "com.example.adventures.share", "grant", "network")
      let shared = try await share(host, url, "--wait")
      #expect(shared.status == 0 && shared.stderr.contains("is over: status 201"), "\(shared)")
      #expect(uploads.body("/caves.png") == Self.picture)
    }
  }

  @Test func `goes on when its daemon was killed`() async throws {
    try await withServer { host, uploads, url in
      _ = try await host("permissions", "com.example.adventures.share", "grant", "network")
      uploads.hold(true)
      let shared = try await share(host, url)
      #expect(shared.status == 0, "\(shared)")
      let pids = try await until {
        let pids = TransferDaemons.running(of: host)
        return pids.isEmpty ? nil : pids
      }
      for pid in pids { kill(pid, SIGKILL) }
      uploads.hold(false)
      // The next command that uses sessions starts another daemon.
      let listed = try await host("sessions", "list")
      #expect(listed.stdout.contains("com.example.adventures.share.uploads"), "\(listed)")
      #expect(try await uploads.arrival("/caves.png") == Self.picture)
    }
  }

  @Test func `makes no transfer that its user does not allow any more`() async throws {
    try await withServer { host, uploads, url in
      _ = try await host("permissions", "com.example.adventures.share", "grant", "network")
      uploads.hold(true)
      let shared = try await share(host, url)
      #expect(shared.status == 0, "\(shared)")
      _ = try await host("permissions", "com.example.adventures.share", "deny", "network")
      let told = try await until {
        let output = try await host("open-url", "adventures://uploads")
        return output.stdout.contains("No picture") ? nil : output.stdout
      }
      #expect(told.contains("need the permission “network”"), "\(told)")
      uploads.hold(false)
      #expect(uploads.body("/caves.png") == nil)
    }
  }

  /// Gives a script and its app an app group in common.
  private static func entitle(
    _ name: String, app: String = "com.example.fixtures", in folder: TemporaryFolder
  ) throws {
    let groups = """
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>group.com.example.fixtures</string></array></dict>
      """
    let manifest = try #require(folder.contents("manifests/\(name).plist"))
    try folder.write(
      "manifests/\(name).plist", manifest.replacing("<key>NSExtension</key>", with: "\(groups)<key>NSExtension</key>"))
    try folder.write(
      "manifests/\(app == "com.example.fixtures" ? "Fixtures" : app).plist",
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(app)</string>
      <key>CFBundleExecutable</key><string>Fixtures</string>
      <key>CFBundlePackageType</key><string>APPL</string>
      <key>CFBundleVersion</key><string>1</string>\(groups)</dict></plist>

      """)
  }

  @Test func `refuses what an extension may not do, each with its code`() async throws {
    try await withServer { host, _, url in
      let id = try Script.install(
        "transfers", in: host.folder,
        annex: "<key>Network</key><array><string>http://127.0.0.1:*</string></array>",
        """
        def code(name, **params):
            reply = call("session/" + name, params)
            error = reply.get("error")
            if error is None: return "ok"
            return error.get("data", {}).get("details", {}).get("code", error["code"])
        shown = [code("create", sessionID="s")]
        shown.append(code("create", sessionID="s", sharedContainerIdentifier="group.of.others"))
        shown.append(code("create", sessionID="", sharedContainerIdentifier="group.com.example.fixtures"))
        made = call("session/create", {"sessionID": "s", "sharedContainerIdentifier": "group.com.example.fixtures"})
        epoch = made["result"]["epoch"]
        def download(url, to="a", epoch=epoch, **more):
            return code("downloadTask", sessionID="s", epoch=epoch, request={"url": url}, destination=to, **more)
        shown.append(download("https://example.com/a"))
        shown.append(download("\(url)/a", to="../a"))
        shown.append(download("\(url)/a", to="/etc/passwd"))
        shown.append(download("\(url)/a", epoch=epoch - 1))
        shown.append(download("\(url)/a", sha256="0"))
        shown.append(code("uploadTask", sessionID="s", epoch=epoch, request={"url": "\(url)/a"}, file="/etc/passwd"))
        shown.append(code("uploadTask", sessionID="s", epoch=epoch, request={"url": "\(url)/a"}, file="nothing"))
        shown.append(code("cancelTask", sessionID="s", epoch=epoch, taskID=99))
        shown.append(code("eventsHandled", sessionID="s", epoch=epoch))
        shown.append(code("tasks", sessionID="other", epoch=epoch))
        show(shown)
        """)
      try Self.entitle("transfers", in: host.folder)
      let output = try await host(
        "today", id, "--consent", "grant", "--manifests", "\(host.folder.path)/manifests")
      #expect(
        output.stdout.contains(
          "[-995, -32027, -32602, -32022, -32602, -32602, -997, -32602, -32602, -32602, -32602, -32024, -997]"),
        "\(output)")
    }
  }

  /// An extension of another app, which was let into the group of the first and may use the network.
  private func guest(in host: HostTool, _ body: String) async throws -> String {
    let manifests = ["--manifests", "\(host.folder.path)/manifests"]
    let owner = try Script.install(
      "first", in: host.folder,
      """
      open(directories["groups"]["group.com.example.fixtures"]["path"] + "/secret", "w").write("treasure")
      show("owned")
      """)
    try Self.entitle("first", in: host.folder)
    let owned = try await host(["today", owner] + manifests)
    try #require(owned.stdout.contains("owned"), "\(owned)")
    let guest = "org.guest.widget"
    let id = try Script.install(
      "guest", in: host.folder, annex: "<key>Network</key><array><string>http://127.0.0.1:*</string></array>",
      """
      import pathlib
      made = call("session/create", {"sessionID": "s", "sharedContainerIdentifier": "group.com.example.fixtures"})
      epoch = made["result"]["epoch"]
      \(body)
      """)
    let manifest = try #require(host.folder.contents("manifests/guest.plist"))
    try host.folder.write("manifests/guest.plist", manifest.replacing("\(id)<", with: "\(guest)<"))
    try Self.entitle("guest", app: "org.guest", in: host.folder)
    for permission in ["group", "network"] {
      let granted = try await host(["permissions", guest, "grant", permission] + manifests)
      try #require(granted.status == 0, "\(granted)")
    }
    return guest
  }

  @Test(.enabled("only a root host gives each app a user of its own", { geteuid() == 0 }))
  func `of a guest in an app group reaches no file of it under a root host`() async throws {
    try await withServer { host, uploads, url in
      let guest = try await self.guest(
        in: host,
        """
        secret = directories["groups"]["group.com.example.fixtures"]["path"] + "/secret"
        asked = {"sessionID": "s", "epoch": epoch, "request": {"url": "\(url)/stolen"}}
        up = call("session/uploadTask", {**asked, "file": secret})
        down = call("session/downloadTask", {**asked, "destination": "secret"})
        new = call("session/downloadTask", {**asked, "destination": "a/b"})
        show([reply.get("error", {}).get("code") for reply in (up, down, new)])
        """)
      let output = try await host("today", guest, "--manifests", "\(host.folder.path)/manifests")
      #expect(output.stdout.contains("[-32602, -32022, -32022]"), "\(output)")
      #expect(uploads.body("/stolen") == nil)
      let group = "\(host.home)/groups/group.com.example.fixtures"
      #expect(FileManager.default.contents(atPath: "\(group)/secret") == Data("treasure".utf8))
      #expect(!FileManager.default.fileExists(atPath: "\(group)/a"))
    }
  }

  @Test func `makes no transfer of an app group that was taken back, and ends the one that runs`() async throws {
    try await withServer { host, uploads, url in
      let guest = try await self.guest(
        in: host,
        """
        (pathlib.Path(directories["scratch"]) / "a").write_text("abc")
        reply = call("session/uploadTask", {"sessionID": "s", "epoch": epoch, "request": {"url": "\(url)/a"}, "file": "a"})
        show("added" if "result" in reply else str(reply))
        """)
      uploads.hold(true)
      let output = try await host("today", guest, "--manifests", "\(host.folder.path)/manifests")
      #expect(output.stdout.contains("added"), "\(output)")
      _ = try await host("permissions", guest, "deny", "group", "--manifests", "\(host.folder.path)/manifests")
      let told = try await until {
        let shown = try await host("sessions", "show", "s", "--json").json
        return shown["tasks"]?[0]?["state"] == .string("failed") ? shown.description : nil
      }
      #expect(told.contains("the permission “group”"), "\(told)")
      uploads.hold(false)
      #expect(uploads.body("/a") == nil)
    }
  }

  @Test func `of an owner that was stopped while another machine took it up sends nothing`() async throws {
    try await withServer { _, uploads, url in
      let hosts = try await pair(onTwoMachines: true)
      let id = "com.example.fixtures.paused"
      for (index, host) in hosts.enumerated() {
        try Script.install(
          "paused", in: host.folder,
          annex: "<key>Network</key><array><string>http://127.0.0.1:*</string></array>",
          """
          import pathlib
          made = call("session/create", {"sessionID": "s", "sharedContainerIdentifier": "group.com.example.fixtures"})
          (pathlib.Path(directories["scratch"]) / "a").write_text("abc")
          flag = pathlib.Path(directories["container"]) / "owned"
          flag.touch()
          while flag.exists(): time.sleep(0.01)
          if \(index) == 0:
              send_only = {"sessionID": "s", "epoch": made["result"]["epoch"], "request": {"url": "\(url)/late"}, "file": "a"}
              (pathlib.Path(directories["container"]) / "asks").touch()
              reply = call("session/uploadTask", send_only)
              show("refused with %d" % reply["error"]["data"]["details"]["code"] if "error" in reply else "accepted")
          else:
              show("taken")
          """)
        try Self.entitle("paused", in: host.folder)
      }
      func start(_ host: HostTool) throws -> Program { try host.start(Self.patientUpdate(of: id, host)) }
      func file(_ host: HostTool, _ name: String) -> String { "\(host.home)/containers/\(id)/\(name)" }
      func wait(for path: String) async throws {
        _ = try await until { FileManager.default.fileExists(atPath: path) ? true : nil }
      }
      let first = try start(hosts[0])
      try await wait(for: file(hosts[0], "owned"))
      kill(first.pid, SIGSTOP)
      // What waits in the pipe is read after the host goes on.
      try FileManager.default.removeItem(atPath: file(hosts[0], "owned"))
      try await wait(for: file(hosts[0], "asks"))
      let url = try #require(hosts[0].variables["ANNEX_STORE"])
      let ended = try await Program(
        "/usr/bin/psql", ["-q", "-c", "UPDATE annex.leases SET ends = clock_timestamp()", url],
        environment: ["PATH": "/usr/bin:/bin"]
      ).finish()
      #expect(ended.status == 0, "\(ended)")
      let second = try start(hosts[1])
      try await wait(for: file(hosts[1], "owned"))
      kill(first.pid, SIGCONT)
      let output = try await first.finish()
      #expect(output.stdout.contains("refused with -997"), "\(output)")
      try FileManager.default.removeItem(atPath: file(hosts[1], "owned"))
      #expect(try await second.finish().stdout.contains("taken"))
      #expect(uploads.body("/late") == nil)
      for host in hosts { await TransferDaemons.end(of: host) }
    }
  }

  /// The words of an update that may take as long as other hosts need to start meanwhile: “today” waits for ten seconds.
  private static func patientUpdate(of id: String, _ host: HostTool) -> [String] {
    let params = #"{"requestID":"r1","reason":"visible","displayMode":"compact"}"#
    let options = ["--deadline", "60", "--consent", "grant", "--manifests", "\(host.folder.path)/manifests"]
    return ["call", id, "performUpdate", params] + options
  }

  /// The tools of two homes that share a group store, or of one home.
  private func pair(onTwoMachines: Bool) async throws -> [HostTool] {
    var (first, second) = (try HostTool(), try HostTool())
    guard onTwoMachines else { return [first, first] }
    let store = try await TestDatabase.url()
    first.variables = ["ANNEX_STORE": store]
    second.variables = ["ANNEX_STORE": store]
    return [first, second]
  }

  @Test(arguments: [false, true])
  func `has one owner at a time`(onTwoMachines: Bool) async throws {
    let hosts = try await pair(onTwoMachines: onTwoMachines)
    let id = "com.example.fixtures.owner"
    for host in hosts {
      try Script.install(
        "owner", in: host.folder,
        annex: "<key>Network</key><array><string>http://127.0.0.1:*</string></array>",
        """
        made = call("session/create", {"sessionID": "s", "sharedContainerIdentifier": "group.com.example.fixtures"})
        error = made.get("error")
        if error is None:
            import pathlib
            flag = pathlib.Path(directories["container"]) / "owned"
            flag.touch()
            while flag.exists(): time.sleep(0.01)
            show("owned in epoch %d" % made["result"]["epoch"])
        else:
            show("refused with %d" % error["data"]["details"]["code"])
        """)
      try Self.entitle("owner", in: host.folder)
    }
    func arguments(_ host: HostTool) -> [String] { Self.patientUpdate(of: id, host) }
    func flag(_ host: HostTool) -> String { "\(host.home)/containers/\(id)/owned" }
    func run(_ host: HostTool, while body: () async throws -> Void) async throws -> String {
      let running = try host.start(arguments(host))
      _ = try await until { FileManager.default.fileExists(atPath: flag(host)) ? true : nil }
      try await body()
      try FileManager.default.removeItem(atPath: flag(host))
      return try await running.finish().stdout
    }
    let first = try await run(hosts[0]) {
      let second = try await hosts[1](arguments(hosts[1]))
      #expect(second.stdout.contains("refused with -996"), "\(second)")
    }
    let then = try await run(hosts[1]) {}
    let epochs = [first, then].map { Int($0.split(separator: " ").last.map { $0.filter(\.isNumber) } ?? "") ?? 0 }
    #expect(epochs[0] > 0 && epochs[1] > epochs[0], "\(first) \(then)")
    for host in hosts { await TransferDaemons.end(of: host) }
  }
}
