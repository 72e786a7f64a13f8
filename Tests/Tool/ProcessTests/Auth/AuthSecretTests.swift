import JSONRPC
import Foundation
import JSON
import Testing

/// What nobody may find anywhere.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The secrets of a sign-in` {
  @Test func `are in nothing that a run writes`() async throws {
    let stage = try await AuthStage()
    var outputs: [Program.Output] = []
    func run(_ line: String) async throws { outputs.append(try await stage.auth(line)) }
    try await run("sign-in \(AuthStage.rider) --password-fd 3 --verbose 3<wrong")
    try await run("outbox \(AuthStage.coded) --wait | $0 auth sign-in \(AuthStage.coded) --code-fd 0 --verbose")
    let code = try await stage.code(for: AuthStage.coded)
    try await run("sign-in \(AuthStage.rider) --password-fd 3 --verbose 3<password")
    try await run("sign-in \(AuthStage.rider) --password-fd 3 --json 3<password")
    var tokens: [String] = []
    for scope in [AuthStage.api1, AuthStage.api2] {
      for words in ["", "--json", "--verbose", "--force-refresh"] { try await run("token --scope \(scope) \(words)") }
      for words in ["", "--json", "--verbose"] { try await run("call \(stage.url)/api1 --scope \(scope) \(words)") }
      tokens.append(
        try await stage.auth("token --scope \(scope) --show 2>/dev/null").stdout
          .trimmingCharacters(in: .whitespacesAndNewlines))
      let shown = try await stage.auth("token --scope \(scope) --show --json").json["accessToken"]?.stringValue
      #expect(shown == tokens.last)
    }
    try await run("accounts --json")
    #expect(code.count == 8 && tokens.allSatisfy { $0.split(separator: ".").count == 3 }, "\(tokens)")
    let secrets = tokens + [code, AuthStage.password, "Not-The-Horse-1!"]
    for output in outputs {
      for secret in secrets { #expect(!output.stdout.contains(secret) && !output.stderr.contains(secret), "\(output)") }
      // Nor any other token of three parts.
      #expect(!output.stdout.contains("eyJ") && !output.stderr.contains("eyJ"), "\(output)")
    }
    try expectNone(of: secrets + ["eyJ", "refresh_token\":"], below: stage.host.home)
  }

  /// Looks into every file, the sealed cache too, whose bytes say nothing.
  private func expectNone(of secrets: [String], below folder: String) throws {
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    var count = 0
    for case let name as String in files {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      count += 1
      for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)") }
    }
    #expect(count > 2)
  }

  @Test func `are in no recording, log or reason of a failure, when an extension gives its token away`() async throws {
    let stage = try await AuthStage()
    let folder = stage.host.folder
    let id = try Script.install(
      "leaky", in: folder,
      annex: """
        <key>Auth</key><array><dict><key>Scopes</key><array><string>\(AuthStage.api1)</string></array>
        <key>Token</key><true/></dict></array>
        """,
      """
      token = call("auth/token", {"scopes": ["\(AuthStage.api1)"]})["result"]["accessToken"]
      send({"method": "$/log", "params": {"level": "error", "message": "It is Bearer " + token}})
      sys.stderr.write("Authorization: Bearer " + token + "\\n" + "got " + token + "\\n")
      sys.stderr.flush()
      os._exit(3 if len(token) > 500 else 4)
      """)
    let manifests = "--manifests \(folder.path)/manifests --manifests \(Build.fixtures)"
    let signedIn = try await stage.auth(
      "sign-in \(AuthStage.rider) --password-fd 3 --app com.example.fixtures \(manifests) 3<password")
    #expect(signedIn.status == 0, "\(signedIn)")
    let lines = [
      "permissions \(id) grant auth", "today \(id) --trace $ANNEX_HOME/trace.ndjson --verbose",
      "today \(id) --json", "why \(id)", "why \(id) --json",
    ]
    var outputs: [Program.Output] = []
    for line in lines { outputs.append(try await stage.host.shell("$0 \(line) \(manifests)")) }
    #expect(outputs[1].status != 0 && outputs[3].stdout.contains("status 3"), "\(outputs)")
    for output in outputs { #expect(!output.stdout.contains("eyJ") && !output.stderr.contains("eyJ"), "\(output)") }
    #expect(stage.host.folder.contents("home/trace.ndjson")?.contains("auth/token") == true)
    try expectNone(of: ["eyJ", AuthStage.password], below: stage.host.home)
  }

  @Test func `are kept under the key that doctor names`() async throws {
    var host = try HostTool()
    #expect(try await host("doctor").stdout.contains("a key file beside the cache"))
    let key = try host.folder.write("key", String(repeating: "0a", count: 32), mode: 0o600)
    host.variables["ANNEX_TOKEN_KEY_FILE"] = key
    #expect(try await host("doctor", "--json").json["tokenKey"]?.stringValue?.contains(key) == true)
  }

  @Test func `are for their user alone`() async throws {
    let stage = try await AuthStage()
    try await stage.signIn()
    let files = try await stage.host.shell("find \(stage.host.home)/auth -type f -perm /077; ls $ANNEX_HOME/auth/*")
    #expect(
      files.status == 0
        && !files.stdout.split(separator: "\n").contains {
          $0.hasPrefix(stage.host.home + "/auth/")
            && !$0.hasSuffix(":")
        }, "\(files)")
    #expect(files.stdout.contains("tokens"))
  }

  @Test func `open with the key that the user names, and with no other`() async throws {
    let stage = try await AuthStage()
    let keys = ["one", "two"].map { "\(stage.host.folder.path)/\($0)" }
    try stage.host.folder.write("one", String(repeating: "0a", count: 32), mode: 0o600)
    try stage.host.folder.write("two", String(repeating: "0b", count: 32), mode: 0o600)
    let signedIn = try await stage.auth(
      "sign-in \(AuthStage.rider) --cache-key-file \(keys[0]) --password-fd 3 3<password")
    #expect(signedIn.status == 0, "\(signedIn)")
    let right = try await stage.auth("accounts --cache-key-fd 3 --json 3<one")
    #expect(try right.json["accounts"]?.arrayValue?.count == 1, "\(right)")
    let other = try await stage.auth("accounts --cache-key-file \(keys[1]) --json")
    #expect(other.status == 74)
    #expect(try other.json["details"]?["kind"] == "cacheUnusable", "\(other)")
  }
}
