import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.enabled(if: Script.isAvailable), .timeLimit(.minutes(2))) struct `A bundle with a script` {
  private static let python = """
    <key>Interpreter</key><string>venv/bin/python3</string>
    <key>InterpreterArguments</key><array><string>-u</string><string>-X</string><string>utf8</string></array>
    """
  private static let plain = "<key>Interpreter</key><string>/usr/bin/python3</string>"

  private static func problems(_ output: Program.Output) throws -> [JSONValue] {
    try output.json["problems"]?.arrayValue ?? []
  }

  @Test func `runs a whole program, with packages and a virtual environment, on an event loop`() async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(in: host.folder, executable: "widget/__main__.py", annex: Self.python)
    try await bundle.makeEnvironment(package: "greeting", "text = 'from the environment'\n")
    try bundle.write("widget/service.py", ScriptBundle.asynchronous)
    try bundle.write("widget/texts/word.txt", "a word")
    try bundle.write(
      "widget/__main__.py",
      """
      import os, sys
      import greeting, service

      def read(path):
          try:
              with open(path) as file:
                  return file.read(40)
          except OSError as error:
              return error.strerror

      service.run(lambda: {"title": "Scripts", "text": " | ".join([
          greeting.text, read(os.path.join(os.path.dirname(__file__), "texts/word.txt")),
          str(sys.prefix != sys.base_prefix), str(sys.flags.utf8_mode), read("\(host.folder.path)/secret"),
          read("\(host.folder.path)/Scripts.app/Info.plist"), str(sys.stdout.line_buffering or sys.stdout.write_through),
      ])})
      """)
    try host.folder.write("secret", "nobody's business")
    let verified = try await host("verify", bundle.path, "--json")
    let severities = try Self.problems(verified).map { $0["severity"] }
    #expect(verified.status == 0 && severities == ["warning"], "\(verified)")
    #expect(try await host("add", bundle.path).status == 0)
    for _ in 0..<2 {
      let today = try await host("today", ScriptBundle.id)
      #expect(today.status == 0, "\(today)")
      let words = today.stdout.split(separator: "|").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      #expect(words.count == 7, "\(today)")
      guard words.count == 7 else { return }
      #expect(words[0].hasSuffix("from the environment") && words[1] == "a word", "\(today)")
      #expect(words[2] == "True" && words[3] == "1" && words[6] == "True", "\(today)")
      for word in words[4...5] {
        #expect(["No such file or directory", "Permission denied"].contains(word), "\(today)")
      }
    }
  }

  @Test(.enabled(if: NodeProgram.isAvailable, "needs /usr/bin/node"))
  func `runs a program of Node that compiles nothing`() async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(
      in: host.folder, executable: "main.js",
      annex: """
        <key>Interpreter</key><string>/usr/bin/node</string>
        <key>InterpreterArguments</key><array><string>--jitless</string></array>
        """)
    try bundle.write("main.js", ScriptBundle.node)
    try bundle.write(
      "node_modules/shown/index.js",
      """
      const fs = require("fs")
      exports.show = async () => {
        const secret = await fs.promises.readFile("\(host.folder.path)/secret", "utf8").catch((error) => error.code)
        await new Promise((resolve) => setTimeout(resolve, 1))
        return `from a module ${secret}`
      }
      """)
    try host.folder.write("secret", "nobody's business")
    #expect(try await host("add", bundle.path).status == 0)
    let today = try await host("today", ScriptBundle.id)
    #expect(today.stdout.contains("from a module ENOENT") || today.stdout.contains("from a module EACCES"), "\(today)")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let annex: String
    var source = "#!/usr/bin/env -S python3 -u\n"
    let keyPath: String
    let words: [String]

    var testDescription: String { annex }
  }

  static let refusals = [
    Refusal(
      annex: "", keyPath: "Annex.Interpreter", words: ["Annex.Interpreter is missing", "/usr/bin/python3</string>"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/usr/bin/no-python</string>", keyPath: "Annex.Interpreter",
      words: ["/usr/bin/no-python does not exist"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/etc/passwd</string>", keyPath: "Annex.Interpreter",
      words: ["/etc/passwd does not exist or cannot be run"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/usr/bin/node</string>", keyPath: "Annex.Interpreter",
      words: ["machine code", "--jitless", "“jit” in Annex.Entitlements"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/usr/bin/ldd</string>", keyPath: "Annex.Interpreter",
      words: ["/usr/bin/ldd is itself a script"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/usr/bin/su</string>", keyPath: "Annex.Interpreter",
      words: ["/usr/bin/su takes another user's rights"]),
    Refusal(
      annex: "<key>Interpreter</key><string>python3</string>", keyPath: "Annex.Interpreter",
      words: ["neither an absolute path nor one below the bundle", "/usr/bin/python3"]),
    Refusal(
      annex: "<key>Interpreter</key><string>/proc/self/exe</string>", keyPath: "Annex.Interpreter",
      words: ["/proc/self/exe"]),
  ]

  @Test(arguments: refusals) func `is refused with a reason when nothing can run it`(refusal: Refusal) async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(in: host.folder, executable: "main.py", annex: refusal.annex)
    try bundle.write("main.py", refusal.source, mode: 0o755)
    let verified = try await host("verify", bundle.path, "--json")
    #expect(verified.status == 65, "\(verified)")
    let errors = try Self.problems(verified).filter { $0["severity"] == "error" }
    #expect(errors.map { $0["keyPath"] } == [.string(refusal.keyPath)], "\(verified)")
    for word in refusal.words { #expect(verified.stdout.contains(word), "\(word): \(verified)") }
    #expect(try await host("add", bundle.path).status == 65)
  }

  @Test func `is added where its interpreter is not installed, and says what it needs`() async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(
      in: host.folder, executable: "main.py", annex: "<key>Interpreter</key><string>/usr/bin/python3.99</string>")
    try bundle.write("main.py", "")
    let verified = try await host("verify", bundle.path, "--json")
    #expect(verified.status == 0, "\(verified)")
    #expect(try Self.problems(verified).map { $0["severity"] } == ["warning"], "\(verified)")
    let added = try await host("add", bundle.path)
    #expect(added.status == 0, "\(added)")
    let need = "needs /usr/bin/python3.99, which is not installed"
    #expect(added.stderr.contains(need) && added.stderr.contains("sudo apt-get install python3.99"), "\(added)")
    let listed = try await host("list", "--json")
    #expect(listed.stdout.contains(need), "\(listed)")
    let shown = try await host("today", ScriptBundle.id)
    #expect(shown.status != 0 && shown.stderr.contains(need), "\(shown)")
    #expect(shown.stderr.contains("sudo apt-get install python3.99"), "\(shown)")
  }

  @Test func `in a place that others can change is refused`() async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(
      in: host.folder, executable: "main.py",
      annex: "<key>Interpreter</key><string>\(host.folder.path)/open/python3</string>")
    try bundle.write("main.py", "")
    try host.folder.write("open/x", "")
    try FileManager.default.copyItem(
      atPath: URL(fileURLWithPath: Script.interpreter).resolvingSymlinksInPath().path,
      toPath: "\(host.folder.path)/open/python3")
    chmod("\(host.folder.path)/open", 0o777)
    let verified = try await host("verify", bundle.path)
    #expect(verified.status == 65 && verified.stdout.contains("can be exchanged by other users"), "\(verified)")
    chmod("\(bundle.widget)/main.py", 0o666)
    chmod("\(host.folder.path)/open", 0o755)
    let changed = try await host("verify", bundle.path)
    #expect(changed.status == 65 && changed.stdout.contains("main.py can be changed by other users"), "\(changed)")
  }

  @Test func `may have its script changed by nobody when it starts`() async throws {
    let host = try HostTool()
    let bundle = try ScriptBundle(in: host.folder, executable: "main.py", annex: Self.plain)
    try bundle.write("main.py", ScriptBundle.asynchronous + "run(lambda: 'shown')\n")
    #expect(try await host("add", bundle.path).status == 0)
    #expect(try await host("today", ScriptBundle.id).stdout.contains("shown"))
    chmod("\(bundle.widget)/main.py", 0o666)
    let refused = try await host("today", ScriptBundle.id, "--refresh")
    #expect(refused.status != 0 && refused.stderr.contains("can be changed by other users"), "\(refused)")
  }
}
