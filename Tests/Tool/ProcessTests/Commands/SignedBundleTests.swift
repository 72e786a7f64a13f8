import Foundation
import JSON
import JSONRPC
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct `A signed bundle` {
  private static let app = "org.example.tides"
  private static let clock = "org.example.tides.clock"

  private let host: HostTool
  private var folder: TemporaryFolder { host.folder }

  init() throws {
    host = try HostTool()
    try folder.write("passphrase", "correct horse battery\n", mode: 0o600)
  }

  /// Writes an app with a widget in Python that shows its version, and counts in its container.
  private func bundle(_ name: String, version: String = "1", annex: String = "") throws -> String {
    func manifest(_ id: String, _ executable: String, _ type: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(id)</string><key>CFBundleExecutable</key><string>\(executable)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>\(version)</string>
      \(rest)</dict></plist>

      """
    }
    let widget = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>\(Script.interpreter)</string>\(annex)</dict>
      """
    try folder.write("\(name)/Info.plist", manifest(Self.app, "Tides", "APPL", ""))
    try folder.write("\(name)/PlugIns/Clock.appex/Info.plist", manifest(Self.clock, "clock", "XPC!", widget))
    try folder.write(
      "\(name)/PlugIns/Clock.appex/clock",
      """
      import json, os, sys
      path = os.path.join(os.environ["HOME"], "visits")
      for line in sys.stdin:
          request = json.loads(line)
          method = request.get("method")
          answer = {}
          if method == "initialize":
              answer = {"protocolVersion": "1.0"}
          elif method == "widget/performUpdate":
              visits = int(open(path).read()) + 1 if os.path.exists(path) else 1
              open(path, "w").write(str(visits))
              answer = {"result": "newData", "view": {"rows": [
                  {"type": "row", "title": "version \(version), visit %d" % visits}]}}
          elif method != "terminate":
              continue
          print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}), flush=True)
          if method == "terminate":
              break

      """)
    try FileManager.default.copyItem(atPath: "\(Build.products)/Adventures", toPath: "\(folder.path)/\(name)/Tides")
    for place in ["", "/PlugIns", "/PlugIns/Clock.appex", "/Tides"] { chmod("\(folder.path)/\(name)\(place)", 0o755) }
    return "\(folder.path)/\(name)"
  }

  private var passphrase: [String] { ["--passphrase-file", "\(folder.path)/passphrase"] }

  private func makeKeys(_ name: String = "Example Inc.", in keys: String = "keys") throws {
    try TeamKeys.make(name, in: "\(folder.path)/\(keys)", passphrase: "correct horse battery")
  }

  private func sign(_ bundle: String, with keys: String = "keys") async throws {
    let signed = try await host(["sign", bundle, "--keys", "\(folder.path)/\(keys)"] + passphrase)
    #expect(signed.status == 0, "\(signed)")
  }

  private func signed(_ name: String, version: String = "1", annex: String = "", with keys: String = "keys")
    async throws -> String
  {
    let path = try bundle(name, version: version, annex: annex)
    try await sign(path, with: keys)
    return path
  }

  private func state(of bundle: String) async throws -> JSONValue? {
    try await host("verify", bundle, "--json").json["seal"]?["state"]
  }

  @Test func `is copied, named with its team, and runs from the copy`() async throws {
    try makeKeys()
    let path = try bundle("Tides.app")
    #expect(try await state(of: path) == "unsigned")
    try await sign(path)
    #expect(try await state(of: path) == "whole")
    let added = try await host("add", path)
    #expect(added.status == 0 && added.stderr.contains("Signed by Example Inc. ("), "\(added)")
    // What lies where it came from is nothing to the host any more.
    try FileManager.default.removeItem(atPath: path)
    #expect(try await host("today", Self.clock).stdout.contains("version 1, visit 1"))
    let rows = try await host("list", "-i", Self.clock, "--json").json
    #expect(rows[0]?["team"]?["name"] == "Example Inc.")
    #expect(try await host("list").stdout.contains("unsigned, local"))
  }

  @Test func `that changed is refused with the name of the file, and what was there stays`() async throws {
    try makeKeys()
    let path = try await signed("Tides.app")
    #expect(try await host("add", path).status == 0)
    let bad = try await signed("Bad.app", version: "2")
    try folder.write("Bad.app/PlugIns/Clock.appex/clock", "print()")
    let refused = try await host("add", bad)
    #expect(refused.status == 65 && refused.stderr.contains("PlugIns/Clock.appex/clock: it has "), "\(refused)")
    let verified = try await host("verify", bad)
    #expect(verified.status == 65 && verified.stdout.contains("PlugIns/Clock.appex/clock: it has "), "\(verified)")
    #expect(try await host("today", Self.clock).stdout.contains("version 1, visit 1"))
    try FileManager.default.removeItem(atPath: "\(bad)/_CodeSignature/Statement")
    #expect(try await state(of: bad) == "malformed")
    #expect(try await host("add", bad).status == 65)
  }

  @Test func `is not started when its copy was changed, and is mended by adding it again`() async throws {
    try makeKeys()
    let path = try await signed("Tides.app")
    let added = try await host("add", path, "--json").json
    let copy = try #require(added["bundle"]?.stringValue)
    let script = "\(copy)/PlugIns/Clock.appex/clock"
    chmod(script, 0o644)
    try (String(contentsOfFile: script, encoding: .utf8) + "# more").write(
      toFile: script, atomically: false, encoding: .utf8)
    let refused = try await host("today", Self.clock)
    #expect(refused.status != 0 && refused.stderr.contains("is not the file that was verified"), "\(refused)")
    #expect(try await host("add", path).status == 0)
    #expect(try await host("today", Self.clock).stdout.contains("version 1"))
  }

  @Test func `keeps its data in an update, never falls, and asks for what is more`() async throws {
    try makeKeys()
    let one = try await signed("One.app")
    #expect(try await host("add", one).status == 0)
    #expect(try await host("today", Self.clock).stdout.contains("version 1, visit 1"))
    let two = try await signed(
      "Two.app", version: "2", annex: "<key>Entitlements</key><array><string>defaults</string></array>")
    let asked = try await host("add", two)
    #expect(asked.status == 77 && asked.stderr.contains("asks for more than was approved: defaults"), "\(asked)")
    #expect(try await host("today", Self.clock, "--refresh").stdout.contains("version 1"))
    #expect(try await host("add", two, "--approve").status == 0)
    #expect(try await host("today", Self.clock, "--refresh").stdout.contains("version 2, visit 3"))
    let older = try await host("add", one)
    #expect(older.status == 65 && older.stderr.contains("older than 2"), "\(older)")
  }

  @Test func `of another team is another app, and gets none of the data`() async throws {
    try makeKeys()
    try makeKeys("Another Ltd.", in: "others")
    let ours = try await signed("Tides.app")
    #expect(try await host("add", ours).status == 0)
    #expect(try await host("today", Self.clock).stdout.contains("visit 1"))
    #expect(try await host("today", Self.clock, "--refresh").stdout.contains("visit 2"))
    let theirs = try await signed("Theirs.app", version: "2", with: "others")
    #expect(try await state(of: theirs) == "another-team")
    let asked = try await host("add", theirs)
    #expect(asked.status == 77 && asked.stderr.contains("Example Inc.") && asked.stderr.contains("Another Ltd."))
    let unsigned = try bundle("Unsigned.app", version: "3")
    let local = try await host("add", unsigned)
    #expect(local.status == 77 && local.stderr.contains("unsigned, local"), "\(local)")
    #expect(try await host("add", theirs, "--other-team").status == 0)
    #expect(try await host("today", Self.clock, "--refresh").stdout.contains("version 2, visit 1"))
    // The first team's data is there again with the first team.
    let later = try await signed("Later.app", version: "4")
    #expect(try await host("add", later, "--other-team").status == 0)
    #expect(try await host("today", Self.clock, "--refresh").stdout.contains("version 4, visit 3"))
    let removed = try await host("trust", "remove", Self.app)
    #expect(removed.status == 0, "\(removed)")
    #expect(try await host("add", unsigned).status == 0)
    let shown = try await host("today", Self.clock, "--refresh")
    #expect(shown.stdout.contains("version 3, visit 1"), "\(shown)")
  }

  @Test func `is disabled when its key is revoked, and follows its team to another root key`() async throws {
    try makeKeys()
    let keys = ["--keys", "\(folder.path)/keys"] + passphrase
    #expect(try await host("add", signed("Tides.app")).status == 0)
    let shown = try await host(["key", "show", "--json"] + keys).json
    let signing = try #require(shown["signing"]?.stringValue)
    let rotated = try await host(["key", "rotate", "--json"] + keys).json
    let rotation = try #require(rotated["statement"]?.stringValue)
    #expect(try await host("trust", "add", rotation).status == 0)
    #expect(try await host("add", signed("Two.app", version: "2")).status == 0)
    #expect(try await host("today", Self.clock).stdout.contains("version 2, visit 1"))
    let now = try await host(["key", "show", "--json"] + keys).json
    let current = try #require(now["signing"]?.stringValue)
    #expect(current != signing)
    let said = try await host(["key", "revoke", current, "--reason", "The laptop was stolen.", "--json"] + keys).json
    #expect(try await host("trust", "add", try #require(said["statement"]?.stringValue)).status == 0)
    let refused = try await host("today", Self.clock)
    #expect(refused.status != 0 && refused.stderr.contains("The laptop was stolen."), "\(refused)")
    #expect(try await host("why", Self.clock).stdout.contains("The laptop was stolen."))
    #expect(try await host("trust", "list").stdout.contains("The laptop was stolen."))
    let forged = try folder.write("forged", String(repeating: "a", count: 300))
    #expect(try await host("trust", "add", forged).status == 65)
  }

  @Test func `is signed with the passphrase alone, which never stands on a command line`() async throws {
    let path = try bundle("Tides.app")
    let wrong = try folder.write("wrong", "another passphrase\n", mode: 0o600)
    let keys = ["--keys", "\(folder.path)/keys"]
    let made = try await host(["key", "new", "--name", "Example Inc."] + keys + passphrase)
    #expect(made.status == 0, "\(made)")
    #expect(try await host(["sign", path, "--passphrase-file", wrong] + keys).status == 77)
    #expect(try await host(["sign", path, "--passphrase", "correct horse battery"] + keys).status == 64)
    #expect(try await host(["sign", path] + keys).status == 64)
    #expect(try await state(of: path) == "unsigned")
    let again = try await host(["key", "new", "--name", "Again"] + keys + passphrase)
    #expect(again.status == 77 && again.stderr.contains("already"), "\(again)")
  }

  @Test func `is there whole or not at all, whenever the command is killed`() async throws {
    try makeKeys()
    let one = try await signed("One.app")
    let two = try await signed("Two.app", version: "2")
    #expect(try await host("add", one).status == 0)
    for milliseconds in stride(from: 5, through: 125, by: 10) {
      let seconds = String(format: "%.3f", Double(milliseconds) / 1_000)
      let killed = try await host.shell("timeout -s KILL \(seconds) \"$0\" add '\(two)'; true")
      #expect(killed.status == 0)
      let shown = try await host("today", Self.clock, "--refresh")
      #expect(shown.stdout.contains("version 1,") || shown.stdout.contains("version 2,"), "\(milliseconds): \(shown)")
    }
    #expect(try await host("add", two).status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(host.home)/bundles")
    #expect(!left.contains { $0.hasPrefix(".new-") }, "\(left)")
  }

  /// A small file system for the state, where each round leaves a little more space for the update.
  @Test(.enabled("mounting a file system needs root", { SmallDisk.isPossible }))
  func `is there whole or not at all, wherever the disk is full`() async throws {
    try makeKeys()
    let one = try await signed("One.app")
    let two = try await signed("Two.app", version: "2")
    // The app's own program is large, and an app need not have one.
    for path in [one, two] { try FileManager.default.removeItem(atPath: "\(path)/Tides") }
    for path in [one, two] { try await sign(path) }
    let output = try await SmallDisk.run(
      """
      "$HOST" add '\(one)' >/dev/null
      for free in 0 4 8 12 16 24 32 48 64 96 128 256; do
        leave "$free"
        "$HOST" add '\(two)' >"$DIR/../out" 2>&1 && echo added || { echo refused; cat "$DIR/../out"; }
        rm -f "$DIR/ballast"
        "$HOST" verify "$DIR"/home/bundles/*/One.app >/dev/null 2>&1 || echo "the first is not whole"
        "$HOST" list -i \(Self.clock) --json | grep '"state"'
      done
      "$HOST" add '\(two)' >/dev/null
      "$HOST" list -i \(Self.clock) --json | grep '"version"'
      ls -a "$DIR/home/bundles" | grep -c new || true
      """, in: folder, host)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout.contains("refused") && output.stdout.contains("No space left on device"), "\(output)")
    #expect(!output.stdout.contains("not whole") && !output.stdout.contains("invalid"), "\(output)")
    #expect(output.stdout.contains("\"version\": \"2\"") && output.stdout.hasSuffix("\n0\n"), "\(output)")
  }
}
