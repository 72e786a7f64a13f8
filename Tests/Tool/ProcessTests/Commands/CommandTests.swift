import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A command` {
  private static let group = "group.com.example.adventures"

  private static let apiMembers = ["method", "points", "entitlement", "permissions", "served", "rule"]

  /// The options for a test's own extensions and the app that contains them.
  private static func ownManifests(_ folder: TemporaryFolder) -> [String] {
    ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
  }

  @Test func `lists every sample, enabled`() async throws {
    let host = try HostTool()
    let output = try await host("list")
    #expect(output.status == 0)
    #expect(output.stdout.contains("com.example.adventures.today"))
    let rows = try #require(try await host("list", "--json").json.arrayValue)
    let manifests = try FileManager.default.contentsOfDirectory(atPath: Build.samples)
    #expect(rows.count == manifests.count)
    for row in rows {
      #expect(row["state"] == "enabled", "\(row)")
      #expect(row["reasons"]?.arrayValue?.isEmpty == true)
      for name in ["id", "version", "point", "app", "permissions"] { #expect(row[name] != nil, "\(row) has \(name)") }
    }
  }

  @Test func `lists one point`() async throws {
    let rows = try await HostTool()("list", "--point", "share", "--json").json
    #expect(rows.arrayValue?.map { $0["id"] } == ["com.example.adventures.share"])
  }

  @Test func `lists a broken manifest with its problem, and the others too`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("manifests/torn.plist", "<plist version=\"1.0\"><dict>\n<key>CFBundleIdentifier</key>\n<strin")
    try folder.write(
      "manifests/wrong.plist",
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.wrong</string>
      <key>CFBundleExecutable</key>
      <integer>7</integer>
      </dict></plist>
      """)
    for name in ["Clock", "Adventures"] {
      try folder.write(
        "manifests/\(name).plist", String(contentsOfFile: "\(Build.samples)/\(name).plist", encoding: .utf8))
    }
    let host = try HostTool(folder)
    let output = try await host("list", "--manifests", "\(folder.path)/manifests")
    #expect(output.status == 0)
    #expect(output.stdout.contains("com.example.adventures.visits"))
    #expect(output.stderr.contains("wrong.plist:4: error: CFBundleExecutable"), "\(output.stderr)")
    #expect(output.stderr.contains("torn.plist:3: error: "), "\(output.stderr)")
    let rows = try await host("list", "--manifests", "\(folder.path)/manifests", "--json").json
    #expect(rows.arrayValue?.filter { $0["state"] == "enabled" }.count == 2)
  }

  @Test(.enabled(if: Script.isAvailable)) func `shows the widgets`() async throws {
    let host = try HostTool()
    let ids = ["com.example.adventures.clock", "com.example.adventures.visits"]
    let output = try await host(["today"] + ids)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout.contains("Visits\n  Visit 1\n"), "\(output)")
    #expect(output.stderr == "")
    let updates = try await host(["today", "--json"] + ids).json
    #expect(updates.arrayValue?.map { $0["id"]?.stringValue } == ids)
    for update in updates.arrayValue ?? [] {
      #expect(Program.Output.names(update) == ["id", "result", "stale", "updatedAt", "view"])
      #expect(update["result"] == "newData")
      #expect(update["stale"] == false)
    }
    #expect(updates[1]?["view"]?["text"] == "Visit 2")
  }

  @Test func `may run many times at once, also the first time`() async throws {
    let host = try HostTool()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let output = try await host("today", "com.example.fixtures.lengthy", "--manifests", Build.fixtures)
          #expect(output.status == 0, "\(output)")
          let write = try await host("defaults", "write", Self.group, "\(output.stdout.hashValue)", "x")
          #expect(write.status == 0, "\(write)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await host("defaults", "read", Self.group, "--json").json["revision"] == 6)
  }

  @Test func `shows a broken widget beside a good one`() async throws {
    let output = try await HostTool()(
      "today", "com.example.fixtures.crasher", "com.example.fixtures.lengthy", "--manifests", Build.fixtures)
    #expect(output.status == 1)
    // Each is printed as it comes, and so either may be first.
    #expect(output.stdout.contains("Lengthy\n  Lengthy\n  two\n  lines\n"))
    #expect(output.stderr.contains("error: Crasher crashed with SIGSEGV"))
  }

  @Test func `shares through the only extension that takes the input`() async throws {
    let host = try HostTool()
    let output = try await host("share", "--text", "See you there", "--url", "https://example.com")
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout == "Shared with Adventures\nSee you there\nhttps://example.com\n")
    let stored = try await host("defaults", "read", Self.group, "--json").json
    let entry = stored["values"]?.objectValue?.first { $0.key.hasPrefix("shared.") }?.value
    #expect(entry?["text"] == "See you there")
    #expect(entry?["url"] == "https://example.com")
  }

  @Test func `shares through the named extension, in JSON`() async throws {
    let share = try await HostTool()("share", "--text", "x", "--with", "com.example.adventures.share", "--json").json
    #expect(Program.Output.names(share) == ["id", "outcome", "items"])
    #expect(share["outcome"] == "completed")
    #expect(share["items"]?[0]?["attributedContentText"] == "x")
  }

  @Test func `explains why no extension takes the input`() async throws {
    let output = try await HostTool()("action", "--url", "https://example.com")
    #expect(output.status == 1)
    #expect(output.stderr.hasPrefix("error: No extension takes this.\nhelp: "))
    #expect(output.stderr.contains("because: com.example.adventures.digest: "))
    #expect(output.stderr.contains("NSExtensionActivationSupportsWebURLWithMaxCount"))
  }

  @Test func `asks which of several extensions is meant`() async throws {
    let output = try await HostTool()(
      "share", "--text", "x", "--manifests", Build.samples, "--manifests", Build.fixtures)
    #expect(output.status == 64)
    #expect(output.stderr.contains("com.example.adventures.share"))
    #expect(output.stderr.contains("com.example.fixtures.snoopshare"))
    #expect(output.stderr.contains("help: Choose one with --with ID."))
  }

  @Test func `acts on a text, a file and standard input`() async throws {
    let host = try HostTool()
    let file = try host.folder.write("note.txt", "From a file. Two.")
    for output in [
      try await host("action", "--text", "From a file. Two."), try await host("action", file),
      try await host("action", "-", input: "From a file. Two."),
    ] {
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout == "Digest\nFrom a file. (4 words)\n")
    }
  }

  @Test func `acts on a large standard input`() async throws {
    let output = try await HostTool()("action", "-", input: String(repeating: "word ", count: 200_000))
    #expect(output.stdout.contains("(200000 words)"), "\(output)")
  }

  @Test func `writes the result to a file`() async throws {
    let host = try HostTool()
    let output = try await host("action", "--text", "One two.", "-o", "\(host.folder.path)/out.txt")
    #expect(output.status == 0)
    #expect(output.stdout == "")
    #expect(host.folder.contents("out.txt") == "One two. (2 words)\n")
    let document = try await host("action", "--text", "One.", "-o", "\(host.folder.path)/out.txt", "--json").json
    #expect(document["outcome"] == "completed")
    #expect(host.folder.contents("out.txt") == "One. (1 words)\n")
  }

  @Test func `writes through links and to devices, and keeps the mode of a file`() async throws {
    let host = try HostTool()
    let folder = host.folder
    let file = try folder.write("real.txt", "old", mode: 0o600)
    for (link, target) in [("link", file), ("device", "/dev/stdout")] {
      try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(link)", withDestinationPath: target)
    }
    #expect(try await host("action", "--text", "One.", "-o", "\(folder.path)/link").status == 0)
    #expect(folder.contents("real.txt") == "One. (1 words)\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try await host("action", "--text", "Two.", "-o", "\(folder.path)/device").stdout == "Two. (1 words)\n")
    for link in ["link", "device"] {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/\(link)")
      #expect(target != nil, "\(link) is still a link")
    }
  }

  @Test func `matches and explains`() async throws {
    let host = try HostTool()
    let output = try await host("match", "--url", "https://example.com")
    #expect(output.stdout == "+ com.example.adventures.share\n")
    let rows = try await host("match", "--url", "https://example.com", "--json").json.arrayValue ?? []
    #expect(rows.filter { $0["offered"] == true }.map { $0["id"] } == ["com.example.adventures.share"])
    #expect(rows.count > 2)
    #expect(rows.allSatisfy { Program.Output.names($0) == ["id", "offered", "reasons"] })
    let none = try await host("match", "/bin/sh")
    #expect(none.status == 1)
    #expect(none.stdout == "")
  }

  @Test func `says what this machine enforces`() async throws {
    let host = try HostTool()
    let output = try await host("doctor")
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout.contains("Sandbox: tier "))
    #expect(output.stdout.contains(host.home))
    let document = try await host("doctor", "--json").json
    #expect(document["tier"]?.stringValue != nil)
    #expect(document["minimum"]?.stringValue != nil)
    for layer in document["layers"]?.arrayValue ?? [] {
      #expect(layer["name"] != nil && layer["enforced"] != nil, "\(layer)")
      #expect(output.stdout.contains(layer["name"]?.stringValue ?? "no name"), "\(output)")
    }
    #expect(document["libraries"]?.arrayValue?.map { $0["name"] } == ["SQLite", "libcurl", "libmicrohttpd"])
    // Its own version, and that of what it encrypts with.
    let curl = document["libraries"]?.arrayValue?.dropFirst().first?["version"]?.stringValue ?? ""
    #expect(curl.hasPrefix("libcurl/") && curl.split(separator: " ").count == 2, "\(curl)")
  }

  @Test func `says what extensions may call`() async throws {
    let host = try HostTool()
    #expect(try await host("api").stdout.contains("content/execute"))
    let rows = try await host("api", "--point", "share", "--json").json.arrayValue ?? []
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { Program.Output.names($0) == Self.apiMembers })
    #expect(!rows.contains { $0["method"] == "url/*" })
    let all = try await host("api", "--json").json.arrayValue ?? []
    let points = Dictionary(all.map { ($0["method"]?.stringValue ?? "", $0["points"]) }) { first, _ in first }
    #expect(points["$/ping"] == "all" && points["auth/begin"]??.arrayValue?.count == 1, "\(points)")
  }

  @Test func `lists the apps`() async throws {
    let apps = try await HostTool()("apps", "--json").json
    #expect(apps[0]?["id"] == "com.example.adventures")
    #expect(apps[0]?["schemes"] == ["adventures"])
  }

  @Test(arguments: [
    ("string", "a text", "\"a text\""), ("int", "7", "7"), ("double", "1.5", "1.5"), ("bool", "yes", "true"),
    ("json", #"{"a":[1,"b"]}"#, #"{"a":[1,"b"]}"#), ("data", "YWJj", #"{"$data":"YWJj"}"#), ("int", "-5", "-5"),
  ])
  func `writes, reads and deletes a default`(type: String, text: String, shown: String) async throws {
    let host = try HostTool()
    let write = try await host("defaults", "write", Self.group, "key", text, "--type", type)
    #expect(write.status == 0, "\(write)")
    #expect(try await host("defaults", "read", Self.group, "key").stdout == "\(shown)\n")
    let document = try await host("defaults", "read", Self.group, "--json").json
    #expect(Program.Output.names(document) == ["suite", "revision", "values", "revisions"])
    #expect(document["revision"] == 1)
    #expect(try await host("defaults", "delete", Self.group, "key").status == 0)
    let read = try await host("defaults", "read", Self.group, "key")
    #expect(read.status == 1)
    #expect(read.stdout == "")
  }

  @Test func `says that a result could not be written`() async throws {
    let host = try HostTool()
    let output = try await host.shell("exec \"$0\" list > /dev/full")
    #expect(output.status == 74)
    #expect(output.stderr.hasPrefix("error: Cannot write to standard output: No space left on device."), "\(output)")
  }

  @Test func `is quiet when the reader of its result goes away`() async throws {
    let host = try HostTool()
    let output = try await host.shell("\"$0\" list | true")
    #expect(output.status == 0)
    #expect(output.stderr == "")
  }

  @Test func `ends its extensions when it is interrupted`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "endless", in: folder, "sys.stderr.write('waiting\\n'); sys.stderr.flush(); time.sleep(300)")
    let host = try HostTool(folder)
    let program = try host.start(["today", id, "--verbose"] + Self.ownManifests(folder))
    _ = try await program.hear("waiting")
    #expect(!Processes.running("\(folder.path)/Plugins/endless.py").isEmpty)
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 130, "\(output)")
    #expect(output.stderr.contains("error: endless was ended by the host"), "\(output)")
    #expect(Processes.running("\(folder.path)/Plugins/endless.py").isEmpty)
    #expect(folder.names(in: "home/scratch").isEmpty)
  }

  @Test func `ends its extensions when it is killed`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "endless", in: folder, "sys.stderr.write('waiting\\n'); sys.stderr.flush(); time.sleep(300)")
    let program = try HostTool(folder).start(["today", id, "--verbose"] + Self.ownManifests(folder))
    _ = try await program.hear("waiting")
    let processes = Processes.running("\(folder.path)/Plugins/endless.py")
    #expect(!processes.isEmpty)
    program.signal(SIGKILL)
    #expect(try await program.finish().status == 128 + SIGKILL)
    // The kernel tells the monitor, and the monitor the others: nobody is left to wait for them.
    for process in processes { await Processes.end(of: process, within: .seconds(20)) }
    #expect(Processes.running("\(folder.path)/Plugins/endless.py").isEmpty)
  }
}
