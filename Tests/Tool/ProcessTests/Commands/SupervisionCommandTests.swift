import Foundation
import JSONRPC
import JSON
import Testing

/// `host why`, `stats`, `restart` and `reset`, as a user meets them.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A user of a failing extension` {
  /// Exits with status 3, unless there is a file `mended` in its container.
  private func tool() throws -> (host: HostTool, id: String, options: [String]) {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "fragile", in: folder,
      """
      if os.path.exists(directories["container"] + "/mended"): show("mended")
      else:
          print("a hint", file=sys.stderr)
          sys.exit(3)
      """)
    return (try HostTool(folder), id, ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures])
  }

  @Test func `learns why, mends it, and goes on`() async throws {
    let (host, id, options) = try tool()
    let well = try await host(["why", id] + options)
    #expect(well.status == 0)
    #expect(well.stdout == "\(id): nothing is wrong\n")
    #expect(try await host(["today", id] + options).status == 1)
    let why = try await host(["why", id] + options)
    #expect(why.status == 1)
    for text in ["failing", "exited with status 3", "widget/performUpdate", "a hint"] {
      #expect(why.stdout.contains(text), "\(why.stdout)")
    }
    #expect(!why.stdout.contains("earlier"), "it failed once: \(why.stdout)")
    #expect(try await host(["today", id] + options).status == 1)
    let again = try await host(["why", id] + options).stdout
    let earlier = again.split(separator: "\n").first { $0.contains("earlier") }
    #expect(earlier?.hasSuffix(" exited") == true && again.contains("failures in a row"), "\(again)")
    let document = try await host(["why", id, "--json"] + options).json
    #expect(document["healthy"] == false)
    #expect(document["state"] == "failing")
    #expect(document["lastFailure"]?["kind"] == "exited")
    #expect(document["lastFailure"]?["status"] == 3)
    try host.folder.write("home/containers/\(id)/mended", "")
    #expect(try await host(["reset", id] + options).status == 0)
    #expect(try await host(["today", id] + options).stdout == "fragile\n  mended\n")
    #expect(try await host(["why", id] + options).status == 0)
  }

  @Test func `is told what it said first when it failed, and what it said last`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "fatal", in: folder,
      """
      frames = "".join("frame %d\\n" % number for number in range(60))
      os.write(2, b"Clock.swift:7: Fatal error: no visits\\n" + frames.encode())
      os.abort()
      """)
    let host = try HostTool(folder)
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    for output in [try await host(["today", id] + options).stderr, try await host(["why", id] + options).stdout] {
      for text in ["Clock.swift:7: Fatal error: no visits\n", "frame 6\n", "… (42 lines left out)\n", "frame 59\n"] {
        #expect(output.contains(text), "\(output)")
      }
    }
  }

  @Test func `is told the figure and the ceiling of the limit that ended it`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("greedy", in: folder, "hog = b'x' * (64 << 20); time.sleep(30)")
    let host = try HostTool(folder)
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    #expect(try await host(["today", id] + options).status == 1)
    let failure = try #require(try await host(["why", id, "--json"] + options).json["lastFailure"])
    #expect(failure["kind"] == "memory")
    #expect(failure["exit"] == "memory")
    #expect(failure["measure"]?["unit"] == "bytes")
    #expect(failure["measure"]?["ceiling"] == .integer(32 << 20))
    let why = try await host(["why", id] + options).stdout
    #expect(why.contains("MiB used, 32 MiB allowed"), "\(why)")
  }

  @Test func `is told which deadline passed, and which protocol was spoken`() async throws {
    let folder = try TemporaryFolder()
    let host = try HostTool(folder)
    let options = ["--manifests", Build.fixtures]
    #expect(try await host(["today", "com.example.fixtures.oldtimer"] + options).status != 0)
    let old = try await host(["why", "com.example.fixtures.oldtimer", "--json"] + options).json["lastFailure"]
    #expect(old?["kind"] == "versionMismatch")
    #expect(old?["protocolVersion"] == "0.1")
    #expect(try await host(["today", "com.example.fixtures.hanger"] + options).status != 0)
    let late = try await host(["why", "com.example.fixtures.hanger", "--json"] + options).json["lastFailure"]
    #expect(late?["deadline"]?["kind"] == "handshake")
    #expect(late?["deadline"]?["milliseconds"] == 5000)
  }

  @Test func `sees that it is disabled, and enables it`() async throws {
    let (host, id, options) = try tool()
    for _ in 0..<5 {
      #expect(try await host(["today", id] + options).status == 1)
      #expect(try await host(["restart", id] + options).status == 0)
    }
    let refused = try await host(["today", id, "--json"] + options)
    #expect(refused.status == 1)
    let error = try #require(try refused.json[0]?["error"])
    #expect(error["name"] == "quarantined")
    #expect(error["recovery"]?.stringValue?.contains("host reset \(id)") == true, "\(error)")
    let list = try await host(["list", "--json", "-p", "today"] + options).json
    let entry = list.arrayValue?.first { $0["id"] == .string(id) }
    #expect(entry?["state"] == "quarantined")
    #expect(try await host(["why", id] + options).stdout.contains("disabled"))
    let reset = try await host(["reset", id, "--json"] + options)
    #expect(try reset.json["wasQuarantined"] == true)
    try host.folder.write("home/containers/\(id)/mended", "")
    #expect(try await host(["today", id] + options).status == 0)
  }

  @Test func `is told of a record that cannot be read, and it is kept`() async throws {
    let (host, id, options) = try tool()
    try host.folder.write("home/health/\(id).json", #"{"failures":[],"consecutive":9223372036854775807}"#)
    for _ in 0..<2 {
      let why = try await host(["why", id] + options)
      #expect(why.status == 1)
      #expect(why.stdout.contains("recordDamaged") && why.stdout.contains("\(id).json.damaged-"), "\(why)")
    }
    try host.folder.write("home/containers/\(id)/mended", "")
    #expect(try await host(["today", id] + options).status == 0)
    #expect(try await host(["why", id] + options).status == 0)
  }

  @Test func `sees what was counted`() async throws {
    let (host, id, options) = try tool()
    #expect(try await host(["stats"] + options).status == 0)
    try host.folder.write("home/containers/\(id)/mended", "")
    for _ in 0..<2 { #expect(try await host(["today", id] + options).status == 0) }
    let stats = try await host(["stats", id] + options)
    #expect(stats.stdout.hasPrefix("\(id): 2 launches, 0 failures\n"))
    let document = try await host(["stats", "--json"] + options).json
    #expect(document[0]?["launches"] == 2)
    #expect(document[0]?["calls"]?["widget/performUpdate"]?["count"] == 2)
    let runs = document[0]?["runs"]?.arrayValue ?? []
    #expect(runs.count == 2, "each process was measured before its end: \(document)")
    for run in runs {
      // An interpreter has megabytes, and needs some milliseconds.
      #expect(run["peakMemoryBytes"]?.integerValue.map { $0 > 1 << 20 && $0 < 1 << 30 } == true, "\(run)")
      #expect(run["processorMicroseconds"]?.integerValue.map { $0 > 1_000 && $0 < 10_000_000 } == true, "\(run)")
      #expect(run["ended"]?.doubleValue.map { abs($0 - Date().timeIntervalSince1970) < 60 } == true, "\(run)")
    }
    #expect(stats.stdout.contains("\n  the last 2 processes: memory ") && stats.stdout.contains(", processor time "))
    let file = "\(host.folder.path)/stats.svg"
    let drawn = try await host(["stats", id, "--svg", file] + options)
    #expect(drawn.status == 0 && drawn.stderr.contains(file), "\(drawn)")
    let picture = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      picture.hasPrefix("<svg ") && picture.contains("widget/performUpdate") && picture.contains(" ms<"), "\(picture)")
    let nowhere = try await host(["stats", id, "--svg", "\(file)/no/file"] + options)
    #expect(nowhere.status == 73 && nowhere.stderr.contains("/no/file"), "\(nowhere)")
  }

  @Test(arguments: ["why", "stats", "restart", "reset"])
  func `is told when there is no such extension`(command: String) async throws {
    let (host, _, options) = try tool()
    let output = try await host([command, "com.example.fixtures.fragil"] + options)
    #expect(output.status == 66)
    #expect(output.stderr.contains("help:"))
  }
}
