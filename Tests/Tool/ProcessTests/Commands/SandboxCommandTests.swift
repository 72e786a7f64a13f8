import JSONRPC
import Foundation
import JSON
import Testing

/// `host sandbox run` as a user runs it, and `host doctor --verify`.
@Suite(.timeLimit(.minutes(2)))
struct `A program run by hand in a sandbox` {
  private func run(_ words: [String], options: [String] = [], input: String = "") async throws -> Program.Output {
    let host = try HostTool()
    return try await host.start(["sandbox", "run"] + options + ["--"] + words, input: .text(input)).finish()
  }

  @Test func `passes its streams and its status on`() async throws {
    let output = try await run(["/bin/sh", "-c", "read line; echo \"<$line>\"; echo no >&2; exit 7"], input: "one\n")
    #expect(output.status == 7)
    #expect(output.stdout == "<one>\n")
    #expect(output.stderr == "no\n")
  }

  @Test func `is looked for as a shell would and reads no foreign file`() async throws {
    let output = try await run(["cat", "/etc/passwd"])
    #expect(output.status == 1 && output.stdout.isEmpty)
    #expect(output.stderr.contains("/etc/passwd"))
  }

  @Test func `starts no second program`() async throws {
    let output = try await run(["/bin/sh", "-c", "/bin/ls /; /bin/sh -c 'echo second'"])
    #expect(output.status != 0 && output.stdout.isEmpty, "\(output)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
  func `may be written in Python, and stays in`() async throws {
    let source = """
      import socket, sys
      for attempt in (lambda: open("/etc/passwd"), lambda: socket.socket(), lambda: __import__("os").fork()):
        try: attempt(); print("escaped")
        except OSError as error: print(type(error).__name__)
      open("note", "w").write("x")
      """
    let output = try await run(["/usr/bin/python3", "-c", source])
    #expect(output.stdout == "FileNotFoundError\nPermissionError\nPermissionError\n", "\(output)")
    #expect(output.status == 0)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
  func `keeps its virtual environment, in a bundle and outside`() async throws {
    let folder = try TemporaryFolder()
    let version = try await Program(
      "/usr/bin/python3", ["-c", "import sys; print('python%d.%d' % sys.version_info[:2], end='')"]
    ).finish().stdout
    try folder.write("V/pyvenv.cfg", "home = /usr/bin\n")
    try folder.write("V/lib/\(version)/site-packages/greeting.py", "text = 'from the environment'")
    try folder.write("V/bin/x", "")
    try folder.write("V/private", "nobody's business")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/V/bin/python3", withDestinationPath: "/usr/bin/python3")
    try folder.write(
      "main.py",
      """
      import os, sys, greeting
      print(greeting.text, sys.prefix != sys.base_prefix, os.path.exists(sys.prefix + "/private"))
      """)
    let interpreter = ["--interpreter", "\(folder.path)/V/bin/python3"]
    let inside = try await run(["\(folder.path)/main.py"], options: ["--bundle", "\(folder.path)/V"] + interpreter)
    #expect(inside.stdout == "from the environment True True\n", "\(inside)")
    let outside = try await run(["\(folder.path)/main.py"], options: interpreter)
    #expect(outside.stdout.hasPrefix("from the environment True"), "\(outside)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/perl"), "needs /usr/bin/perl"))
  func `may be written in Perl, and stays in`() async throws {
    let source = "print defined(fork) ? q(escaped) : q(alone), open(F, q(/etc/shadow)) ? q(escaped) : q( blind)"
    #expect(try await run(["/usr/bin/perl", "-e", source]).stdout == "alone blind")
  }

  @Test(.enabled(if: NodeProgram.isAvailable, "needs /usr/bin/node"))
  func `may be written in JavaScript when it may generate code`() async throws {
    let source = """
      let sum = 0; for (let i = 0; i < 1e6; i++) sum += i; console.log(sum)
      try { require("fs").readFileSync("/etc/passwd"); console.log("escaped") } catch (error) { console.log(error.code) }
      """
    let output = try await run(["/usr/bin/node", "-e", source], options: ["--jit"])
    #expect(output.stdout == "499999500000\nENOENT\n", "\(output)")
  }

  @Test func `needs an interpreter when it is a script`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("hello", "#!/bin/sh\necho hello $1\n")
    let refused = try await run(["\(folder.path)/hello", "you"])
    #expect(refused.status == 65)
    #expect(refused.stderr.contains("error: ") && refused.stderr.contains("--interpreter /usr/bin/dash"))
    let output = try await run(["\(folder.path)/hello", "you"], options: ["--interpreter", "/bin/sh"])
    #expect(output.stdout == "hello you\n" && output.status == 0, "\(output)")
  }

  @Test func `is described in one document`() async throws {
    let output = try await run(["/bin/sh", "-c", "echo out; echo err >&2; kill -SEGV $$; exit 3"], options: ["--json"])
    let document = try output.json
    #expect(output.status == 3 && output.stderr.isEmpty)
    #expect(document["output"] == "out\n" && document["exit"] == .integer(3))
    #expect(document["errors"]?.stringValue?.hasPrefix("err\n") == true)
    for name in ["command", "tier", "seconds"] { #expect(document[name] != nil) }
  }

  @Test func `that a signal ends is said to have`() async throws {
    // Past the largest size of a file.
    let output = try await run(
      ["/bin/dd", "if=/dev/urandom", "of=big", "bs=1M", "count=1", "seek=100000"], options: ["--json"])
    let document = try output.json
    #expect(document["signal"] == .integer(25) && output.status == 128 + 25, "\(output)")
    #expect(document["reason"]?.stringValue?.contains("SIGXFSZ") == true)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"),
    arguments: [
      ("memory", "hold = [b'x' * (1 << 20) for _ in range(100)]"),
      ("diskQuota", "[os.truncate(os.open(f'{n}', os.O_CREAT | os.O_RDWR), 60 << 20) for n in range(8)]"),
    ])
  func `is held to the ceilings of its point`(reason: String, line: String) async throws {
    let source = "import os, time\n\(line)\ntime.sleep(60)"
    let output = try await run(
      ["/usr/bin/python3", "-c", source], options: ["--json", "--point", "com.apple.widget-extension"])
    let document = try output.json
    #expect(document["limit"]?["reason"]?.stringValue == reason && output.status == 137, "\(output)")
    #expect(document["reason"]?.stringValue?.hasPrefix("It was ended for its ") == true, "\(output)")
  }

  @Test func `keeps a container that is named, and nothing else`() async throws {
    let folder = try TemporaryFolder()
    let container = "\(folder.path)/container"
    let output = try await run(
      ["/bin/sh", "-c", "echo kept > $HOME/note; echo lost > note; pwd"], options: ["--container", container])
    #expect(output.status == 0 && output.stderr == "", "\(output)")
    #expect(try String(contentsOfFile: "\(container)/note", encoding: .utf8) == "kept\n")
    let scratch = output.stdout.trimmingCharacters(in: .newlines)
    #expect(!scratch.isEmpty && !FileManager.default.fileExists(atPath: scratch))
    let again = try await run(
      ["/bin/sh", "-c", "read line < $HOME/note; echo $line"], options: ["--container", container])
    #expect(again.status == 0 && again.stdout == "kept\n" && again.stderr == "", "\(again)")
  }

  @Test func `is described with as much of its output as is kept, and how much is left out`() async throws {
    let kept = String(repeating: "é", count: 1 << 19)
    let output = try await run(["/bin/cat"], options: ["--json"], input: kept + "!")
    let document = try output.json
    #expect(output.status == 0 && document["output"]?.stringValue == kept)
    #expect(document["outputDropped"] == 1 && document["errors"] == "")
    let members = ["command", "tier", "seconds", "exit", "output", "outputDropped", "errors"]
    #expect(Program.Output.names(document) == members && document["command"] == ["/bin/cat"])
  }

  @Test func `shows each character whole at a terminal, however it comes`() async throws {
    // Each piece but the last ends within a character, whose rest comes when that piece was passed on.
    let source = """
      printf '\\360\\237\\230'; echo first >&2; read x; printf '\\200\\340\\270'; echo second >&2; read x
      printf '\\201\\303'; echo third >&2; read x; printf '\\251'; read x; printf '=\\360'
      """
    let program = try HostTool().atTerminal("sandbox", "run", "--", "/bin/sh", "-c", source)
    for word in ["first", "second", "third", "é"] { try await program.answer(word, with: "") }
    let (text, status) = try await program.finish()
    let shown = "😀กé=\u{FFFD}"
    let found = text.unicodeScalars.filter { shown.unicodeScalars.contains($0) }
    #expect(status == 0 && String(String.UnicodeScalarView(found)) == shown, "\(text)")
  }

  @Test func `may be held to a weaker tier, which is said`() async throws {
    let best = try await HostTool()("doctor", "--json").json["tier"]?.stringValue
    let output = try await run(["/bin/sh", "-c", "echo ok"], options: ["--tier", "light"])
    #expect(output.stdout == "ok\n", "\(output)")
    #expect(output.stderr.contains("on purpose weaker") == (best != "light"))
  }

  @Test func `moves much data without keeping it`() async throws {
    let host = try HostTool()
    let output = try await host.shell("head -c 8000000 /dev/zero | \"$0\" sandbox run -- /bin/cat | wc -c")
    #expect(output.stdout.trimmingCharacters(in: .whitespacesAndNewlines) == "8000000")
  }

  @Test func `ends with the command when that is interrupted`() async throws {
    let command = ["sandbox", "run", "--", "/bin/sh", "-c", "echo ready; while :; do :; done"]
    let program = try HostTool().start(command, input: .null)
    _ = try await program.hear("ready")
    program.signal(SIGTERM)
    let output = try await program.finish()
    #expect(output.status == 128 + 15, "\(output)")
  }

  /// The host has a terminal of its own here; what the program types or writes must not reach it.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs /usr/bin/script"))
  func `never holds the terminal of the host`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("steer", "printf '\\033]0;title\\007\\033[2J'; [ -t 0 ] || [ -t 1 ] || echo pipes")
    #expect(chmod(folder.path, 0o755) == 0)
    let host = try HostTool()
    let inner = "$0 sandbox run --bundle \(folder.path) -- "
    let attempt = "\(inner) \(Build.products)/sandbox-attempts devices/terminal"
    let typed = try await host.shell("/usr/bin/script -qec \"\(attempt)\" /dev/null < /dev/null")
    #expect(typed.stdout.contains("denied") && !typed.stdout.contains("typed"), "\(typed)")
    let steering = "\(inner) /bin/sh \(folder.path)/steer"
    let shown = try await host.shell("/usr/bin/script -qec \"\(steering)\" /dev/null < /dev/null")
    #expect(shown.stdout.contains("pipes") && shown.stdout.contains("\\u{1b}]0;title"), "\(shown)")
    #expect(!shown.stdout.contains("\u{1b}"))
  }

  @Test(arguments: [
    (["sandbox", "run"], "COMMAND", Int32(64)), (["sandbox", "run", "--", "nosuchprogram"], "nosuchprogram", 66),
    (["sandbox", "run", "--tier", "best", "--", "true"], "best", 64),
    (["sandbox", "run", "--bundle", "/nonexistent", "--", "true"], "/nonexistent", 66),
    (["sandbox", "run", "--", "/etc/passwd"], "/etc/passwd", 65), (["doctor", "--tier", "all"], "--verify", 64),
  ])
  func `is refused with a reason and advice`(words: [String], name: String, status: Int32) async throws {
    let output = try await HostTool()(words)
    #expect(output.status == status && output.stdout.isEmpty, "\(output)")
    #expect(output.stderr.contains("error: ") && output.stderr.contains("help: "))
    #expect(output.stderr.contains(name))
  }

  @Test func `is what the doctor verifies`() async throws {
    let output = try await HostTool()("doctor", "--verify", "--json")
    #expect(output.status == 0, "\(output.stdout)")
    let document = try output.json
    let series = try #require(document["verification"]?.arrayValue?.first)
    #expect(series["tier"] == document["tier"] && series["broken"] == .integer(0))
    let attempts = try #require(series["attempts"]?.arrayValue)
    #expect(attempts.count > 50)
    for attempt in attempts { #expect(attempt["result"] == "blocked" || attempt["result"] == "notPromised") }
    #expect(attempts.allSatisfy { ($0["detail"] != nil) == ($0["result"] == "blocked") })
    func count(_ result: JSONValue) -> JSONValue { .integer(Int64(attempts.count { $0["result"] == result })) }
    #expect(series["blocked"] == count("blocked") && series["notPromised"] == count("notPromised"))
  }

  @Test func `is tried in a tier that is named, and the table and the sum agree`() async throws {
    let output = try await HostTool()("doctor", "--verify", "--tier", "light")
    let lines = output.stdout.split(separator: "\n")
    let head = try #require(lines.firstIndex(of: "Attempts in the tier light:"), "\(output)")
    #expect(output.status == 0 && lines[head + 1].hasPrefix("A HOSTILE EXTENSION TRIES TO  "), "\(output)")
    let rows = lines[(head + 2)...].dropLast()
    let blocked = rows.count { $0.contains("  blocked") }
    let open = rows.filter { $0.hasSuffix("  not promised") }
    #expect(blocked > 30 && !open.isEmpty && blocked + open.count == rows.count, "\(output)")
    #expect(rows.contains { $0.hasPrefix("read /etc/shadow, ") }, "\(output)")
    let sum = "\(blocked) blocked, 0 broken, \(open.count) not promised ("
    #expect(lines.last?.hasPrefix(sum) == true && lines.last?.contains("files/sizes") == true, "\(output)")
    #expect(!output.stdout.contains("VERSION OR PLACE"), "\(output)")
  }
}
