import Foundation
import JSON
import JSONRPC
import Testing

/// Publishing and installing as people do it: the tool at both ends, and the local server between them.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct `An index at the command line` {
  private static let app = IndexStage.app
  private static let clock = IndexStage.clock

  private let stage: IndexStage
  private var host: HostTool { stage.host }
  private var folder: TemporaryFolder { stage.folder }
  private var index: String { stage.index }
  private var keys: [String] { stage.keys }

  init() throws { stage = try IndexStage() }

  private func bundle(_ version: String, annex: String = "", begins: String = "") async throws -> String {
    try await stage.bundle(version, annex: annex, begins: begins)
  }

  private func makeKeys() throws { try stage.makeKeys() }

  @discardableResult
  private func publish(_ bundles: String...) async throws -> JSONValue { try await stage.publish(bundles) }

  private func withServer(_ body: (_ url: String) async throws -> Void) async throws {
    try await stage.withServer(body)
  }

  private func shown() async throws -> String { try await host("today", Self.clock, "--refresh").stdout }

  @Test func `is trusted by its fingerprint, and gives and updates a bundle`() async throws {
    try makeKeys()
    let root = try #require(try await publish(bundle("1"))["root"]?.stringValue)
    try await withServer { url in
      let asked = try await host("install", Self.app, "--from", url)
      #expect(asked.status == 77 && asked.stderr.contains("--trust"), "\(asked)")
      let wrong = try await host("install", Self.app, "--from", url, "--root", String(repeating: "a", count: 64))
      #expect(wrong.status == 77 && wrong.stderr.contains("and not the given one"), "\(wrong)")
      let installed = try await host("install", Self.app, "--from", url, "--root", root, "--json")
      #expect(installed.status == 0, "\(installed)")
      #expect(try installed.json["version"] == "1" && installed.json["team"]?["fingerprint"] == .string(root))
      #expect(try await shown().contains("version 1,"))
      #expect(try await host("search", "TODAY", "--json").json[0]?["id"] == .string(Self.app))
      #expect(try await host("search", "moon").status == 1)
      let more = "<key>Entitlements</key><array><string>defaults</string></array>"
      try await publish(bundle("2", annex: more))
      let check = try await host("update", "--check", "--json").json
      #expect(check["updates"]?[0]?["state"] == "available" && check["updates"]?[0]?["version"] == "2")
      let refused = try await host("update")
      #expect(refused.status == 1 && refused.stderr.contains("asks for more than was approved: defaults"), "\(refused)")
      #expect(try await shown().contains("version 1,"))
      #expect(try await host("update", "--minimum-age", "3d", "--approve").stderr.contains("Nothing is newer"))
      #expect(try await host("update", "--approve").status == 0)
      #expect(try await shown().contains("version 2,"))
      #expect(try await host("trust", "list", "--json").json["indexes"]?[0]?["root"] == .string(root))
      #expect(try await host("trust", "remove", url).status == 0)
      #expect(try await host("update").status == 64)
    }
  }

  @Test func `gives no version that does not start, and none whose key was revoked`() async throws {
    try makeKeys()
    try await publish(bundle("1"))
    try await withServer { url in
      #expect(try await host("install", Self.app, "--from", url, "--trust").status == 0)
      try await publish(bundle("2", begins: "sys.exit(3)"))
      let failed = try await host("update", "--json")
      #expect(failed.status == 1, "\(failed)")
      #expect(try failed.json["updates"]?[0]?["state"] == "rolledBack", "\(failed)")
      #expect(try await shown().contains("version 1,"))
      let key = try #require(try await host(["key", "show", "--json"] + keys).json["signing"]?.stringValue)
      #expect(try await host(["key", "revoke", key, "--reason", "The laptop was stolen."] + keys).status == 0)
      #expect(try await host(["key", "new", "--signing"] + keys).status == 0)
      let stale = try await host(["publish", index, "\(folder.path)/v1/Tides.app"] + keys)
      #expect(stale.status == 77, "\(stale)")
      #expect(try await publish()["rootVersion"] == 2)
      #expect(try await host("update").status == 0)
      #expect(try await host("why", Self.clock).stdout.contains("The laptop was stolen."))
      try await publish(bundle("3"))
      #expect(try await host("update").status == 0)
      #expect(try await shown().contains("version 3,"))
    }
  }

  @Test func `is one of several, of which the newest version counts, and one that is silent keeps none from another`()
    async throws
  {
    try makeKeys()
    let one = try await bundle("1")
    try await publish(one)
    let other = "\(folder.path)/other"
    #expect(try await host(["publish", other, bundle("3")] + keys).status == 0)
    func update(_ words: String...) async throws -> (output: Program.Output, versions: [String]) {
      let output = try await host(["update", "--check", "--json"] + words)
      let updates = (try? output.json)?["updates"]?.arrayValue ?? []
      return (output, updates.compactMap { $0["version"]?.stringValue })
    }
    try await withServer { url in
      #expect(try await host("install", Self.app, "--from", url, "--trust").status == 0)
      #expect(try await update().versions == [])
      try await publish(bundle("2"))
      let second = try host.start(["serve", "index", other, "--port", "0"])
      let heard = try await second.hear("ready http").split(whereSeparator: \.isWhitespace).map(String.init)
      let silent = try #require(heard.drop { $0 != "ready" }.dropFirst().first)
      #expect(try await host("search", "--from", silent, "--trust").status == 0)
      let both = try await update()
      #expect(both.output.status == 0 && both.versions == ["3"], "\(both)")
      #expect(try await update("--from", url).versions == ["2"])
      second.signal(SIGTERM)
      #expect(try await second.finish().status == 0)
      // The other one is asked all the same, and that one was not is a failure.
      let left = try await update()
      #expect(left.output.status == 1 && left.versions == ["2"], "\(left)")
      #expect(left.output.stderr.hasPrefix("warning: "), "\(left)")
      let named = try await update("--from", silent)
      #expect(named.output.status != 0 && named.output.stderr == "", "\(named)")
      #expect(try named.output.json["message"] != nil && named.versions == [], "\(named)")
      // Nothing is newer there, but not everything was asked.
      #expect(try await host("update", "--approve").status == 1)
      let done = try await host("update")
      #expect(done.status == 1 && !done.stderr.contains("Nothing is newer"), "\(done)")
      #expect(try await host("update", "--from", url).stderr == "Nothing is newer.\n")
    }
  }

  static let misuses: [(words: [String], status: Int32, error: String)] = [
    (["install", "org.a", "--minimum-age", "3x"], 64, "“3x” is no length of time."),
    (["install", "org.a", "--minimum-age", "d"], 64, "“d” is no length of time."),
    (["install", "org.a", "--minimum-age=-1h"], 64, "“-1h” is no length of time."),
    (["install", "org.a", "--minimum-age", "36501m"], 64, "“36501m” is no length of time."),
    (["install", "org.a", "--minimum-age", "36500d"], 64, "No index is trusted yet."),
    (["update", "--minimum-age", "0m"], 64, "No index is trusted yet."),
    (["update", "org.none"], 66, "No signed bundle “org.none” is installed"),
    (["trust", "remove", "org.none"], 66, "org.none belongs to no team."),
    (["trust", "remove", "http://127.0.0.1:1/i"], 66, "The index http://127.0.0.1:1/i is not trusted."),
    (["trust", "list"], 0, "No app belongs to a team yet."), (["key", "new"], 64, "A team needs a name."),
    (["key", "new", "--name", "T"], 64, "No passphrase is given, and there is no terminal to ask at."),
    (["key", "new", "--name", "T", "--days", "0"], 64, "1 to 3650"),
    (["serve", "index", "/tmp", "--port", "0"], 66, "/tmp is not the folder of an index."),
  ]

  @Test(arguments: misuses) func `is told apart from what is none`(
    words: [String], status: Int32, error: String
  ) async throws {
    let output = try await host(words)
    #expect(output.status == status && output.stderr.contains(error), "\(output)")
  }

  @Test func `is signed with keys whose state is told`() async throws {
    #expect(try folder.write("short", "1234567", mode: 0o600) != "")
    let short = try await host("key", "new", "--name", "T", "--passphrase-file", "\(folder.path)/short")
    #expect(short.status == 65 && short.stderr.contains("fewer than 8 characters"), "\(short)")
    #expect(try await host(["key", "new", "--name", "Example Inc."] + keys).status == 0)
    func states() async throws -> [String] {
      let shown = try await host(["key", "show"] + keys).stdout.split(separator: "\n").dropFirst(2)
      return shown.map { line in ["in use", "good", "revoked"].first { line.hasSuffix($0) } ?? "\(line)" }.sorted()
    }
    #expect(try await states() == ["in use"])
    let first = try #require(try await host(["key", "show", "--json"] + keys).json["signing"]?.stringValue)
    #expect(try await host(["key", "new", "--signing"] + keys).status == 0)
    #expect(try await states() == ["good", "in use"])
    for named in [String(first.prefix(7)), "00000000"] {
      let unknown = try await host(["key", "revoke", named] + keys)
      #expect(
        unknown.status == 64 && unknown.stderr.contains("“\(named)” is no signing key of Example Inc."), "\(unknown)")
    }
    let revoked = try await host(["key", "revoke", first.prefix(8).uppercased(), "--json"] + keys)
    #expect(try revoked.status == 0 && revoked.json["revoked"] == .string(first), "\(revoked)")
    #expect(try await states() == ["in use", "revoked"])
    let shown = try await host(["key", "show", "--json"] + keys).json["keys"]?.arrayValue ?? []
    #expect(shown.filter { $0["revoked"] == true }.map { $0["key"] } == [.string(first)], "\(shown)")
    let unsigned = try await host(["publish", index, "--yank", Self.app] + keys)
    #expect(unsigned.status == 64 && unsigned.stderr.contains("“\(Self.app)” names no version."), "\(unsigned)")
  }

  @Test func `leaves a whole version in use, whenever an update is killed`() async throws {
    try makeKeys()
    try await publish(bundle("1"))
    try await withServer { url in
      #expect(try await host("install", Self.app, "--from", url, "--trust").status == 0)
      try await publish(bundle("2"))
      for milliseconds in stride(from: 10, through: 250, by: 20) {
        let seconds = String(format: "%.3f", Double(milliseconds) / 1_000)
        #expect(try await host.shell("timeout -s KILL \(seconds) \"$0\" update >/dev/null 2>&1; true").status == 0)
        let text = try await shown()
        #expect(text.contains("version 1,") || text.contains("version 2,"), "\(milliseconds): \(text)")
      }
      #expect(try await host("update").status == 0)
      #expect(try await shown().contains("version 2,"))
      let left = try FileManager.default.subpathsOfDirectory(atPath: host.home)
      #expect(!left.contains { $0.contains("/.new-") }, "\(left)")
    }
  }

  @Test func `is the one of before or the new one, whenever a publication is killed`() async throws {
    try makeKeys()
    try await publish(bundle("1"))
    let two = try await bundle("2")
    try await withServer { url in
      #expect(try await host("search", "--from", url, "--trust").status == 0)
      for milliseconds in stride(from: 10, through: 250, by: 20) {
        let seconds = String(format: "%.3f", Double(milliseconds) / 1_000)
        let words = (["publish", index, two] + keys).map { "'\($0)'" }.joined(separator: " ")
        _ = try await host.shell("timeout -s KILL \(seconds) \"$0\" \(words) >/dev/null 2>&1; true")
        let found = try await host("search", "--json")
        #expect(found.status == 0, "\(milliseconds): \(found)")
        #expect(["1", "2"].contains(try found.json[0]?["version"]?.stringValue), "\(found)")
      }
      try await publish(two)
      #expect(try await host("search", "--json").json[0]?["version"] == "2")
    }
  }

  /// A small file system for the state, where each round leaves a little more space for the update.
  @Test(.enabled("mounting a file system needs root", { SmallDisk.isPossible }))
  func `leaves a whole version in use, wherever the disk is full`() async throws {
    try makeKeys()
    try await publish(bundle("1"))
    try await withServer { url in
      let two = try await bundle("2")
      let publishing = (["publish", index, two] + keys).map { "'\($0)'" }.joined(separator: " ")
      let output = try await SmallDisk.run(
        """
        "$HOST" install \(Self.app) --from \(url) --trust >/dev/null 2>&1
        "$HOST" \(publishing) >/dev/null
        for free in 0 4 8 12 16 24 32 40 48 64 96 128 256; do
          leave "$free"
          "$HOST" install \(Self.app) >"$DIR/../out" 2>&1 && echo added || { echo refused; cat "$DIR/../out"; }
          rm -f "$DIR/ballast"
          for bundle in "$DIR"/home/bundles/*/Tides.app; do
            "$HOST" verify "$bundle" >/dev/null 2>&1 || echo "not whole"
          done
          "$HOST" list -i \(Self.clock) --json | grep '"state"'
        done
        "$HOST" install \(Self.app) >/dev/null 2>&1
        "$HOST" list -i \(Self.clock) --json | grep '"version"'
        """, in: folder, host)
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout.contains("refused") && output.stdout.contains("No space left on device"), "\(output)")
      #expect(!output.stdout.contains("not whole") && !output.stdout.contains("invalid"), "\(output)")
      #expect(output.stdout.contains("\"version\": \"2\""), "\(output)")
    }
  }
}
