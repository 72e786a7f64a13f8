import JSONRPC
import Foundation
import JSON
import Testing

/// A widget with rows that open a URL, do a task, do nothing, fail, and name a URL of another app.
private struct RowWidget {
  static let body = """
    path = directories["container"] + "/count"
    count = int(open(path).read()) if os.path.exists(path) else 0
    rows = [
        {"title": "Look", "url": "fixtures://here"}, {"title": "Count", "action": "count"}, {"title": "Still"},
        {"title": "Break", "action": "break"}, {"title": "Stray", "url": "adventures://uploads"}]
    title = "Counted %d" % count
    if method == "widget/didSelectRow":
        title = "Counted %d by row %d" % (count + 1, params["row"])
        if params["action"] == "count": open(path, "w").write(str(count + 1))
    if method == "widget/didSelectRow" and params["action"] == "break": answer({"result": "failed"})
    else: answer({"result": "newData", "view": {"title": title, "rows": rows}})
    """

  let host: HostTool
  let id: String
  let words: [String]

  init(annex: String = "", _ body: String = Self.body) throws {
    let folder = try TemporaryFolder()
    id = try Script.install("rows", in: folder, annex: annex, body)
    host = try HostTool(folder)
    words =
      ["today", id] + ["\(folder.path)/manifests", Build.fixtures, Build.samples].flatMap { ["--manifests", $0] }
  }

  func select(_ row: Int, _ more: String...) async throws -> Program.Output {
    try await host(words + ["--select", "\(row)"] + more)
  }

  func atTerminal() throws -> TerminalProgram {
    try TerminalProgram(
      "\(Build.products)/host", words + ["--watch", "--interval", "3600"],
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 }, in: host.folder)
  }
}

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A row of a widget that is chosen by its number` {
  @Test func `opens its URL in the containing app`() async throws {
    let widget = try RowWidget()
    let opened = try await widget.select(1)
    #expect(opened.status == 0, "\(opened)")
    let json = try await widget.select(1, "--json").json
    #expect(json["url"] == "fixtures://here" && json["app"] == "com.example.fixtures" && json["handled"] == true)
    #expect(json["id"] == .string(widget.id) && json["row"] == 1)
  }

  @Test func `has the widget do its task, and shows what comes of it`() async throws {
    let widget = try RowWidget()
    let first = try await widget.select(2)
    #expect(first.status == 0 && first.stdout.hasPrefix("rows\n  Counted 1 by row 1\n  Look\n"), "\(first)")
    let json = try await widget.select(2, "--json").json
    #expect(json["result"] == "newData" && json["action"] == "count" && json["row"] == 2)
    #expect(json["view"]?["title"] == "Counted 2 by row 1")
  }

  @Test func `that fails leaves the view as it is, and says so`() async throws {
    let widget = try RowWidget()
    _ = try await widget.select(2)
    let broken = try await widget.select(4)
    #expect(broken.status == 1 && broken.stderr.contains("rows reports that its task failed."), "\(broken)")
    #expect(broken.stdout.hasPrefix("rows\n  Counted 1 by row 1\n"), "\(broken)")
    // It was no update: nothing is stale.
    #expect(try await widget.select(4, "--json").json["stale"] == false)
  }

  @Test(arguments: [
    (3, "Row 3 of rows can do nothing.", Int32(65)), (9, "rows has 5 rows, and no row 9.", 65),
    (5, "rows may not open “adventures” URLs, which belong to Adventures.", 77),
  ])
  func `is refused by its place`(row: Int, message: String, status: Int32) async throws {
    let output = try await RowWidget().select(row)
    #expect(output.status == status && output.stderr.contains(message), "\(output)")
  }

  @Test func `is an error of a widget that serves no actions`() async throws {
    let widget = try RowWidget(
      """
      if method == "widget/performUpdate":
          answer({"result": "newData", "view": {"rows": [{"title": "a", "action": "go"}]}})
      else: send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
      """)
    let output = try await widget.select(1)
    #expect(output.status != 0 && output.stderr.contains("error: "), "\(output)")
  }

  @Test(arguments: [["--watch"], ["com.example.adventures.visits"]])
  func `belongs to one widget`(more: [String]) async throws {
    let widget = try RowWidget()
    let output = try await widget.host(widget.words + ["--select", "1"] + more)
    #expect(output.status == 64 && output.stderr.contains("one widget"), "\(output)")
  }

  @Test func `counts the clock of the samples anew`() async throws {
    let host = try HostTool()
    #expect(try await host("today", "com.example.adventures.clock").stdout.contains("visit 1"))
    #expect(try await host("today", "com.example.adventures.clock", "--select", "1").stdout.contains("visit 0"))
    #expect(try await host("today", "com.example.adventures.clock").stdout.contains("visit 1"))
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A widget that is watched at a terminal` {
  @Test func `has its rows chosen by keys, and does what they do`() async throws {
    let program = try RowWidget().atTerminal()
    try await program.hear("> Look")
    #expect(!program.isCooked)
    program.type("\u{1B}[B")
    try await program.hear("> Count")
    program.type("\r")
    try await program.hear("Counted 1 by row 1")
    program.type("j")
    try await program.hear("> Still")
    program.type("\r")
    try await program.hear("Row 3 of rows can do nothing.")
    program.type("j\r")
    try await program.hear("rows reports that its task failed.")
    // A lone escape goes back, when nothing follows it.
    program.type("\u{1B}")
    try await program.hear("> Break")
    program.type("\u{1B}[H")
    try await program.hear("> Look")
    program.type("q")
    let (text, status) = try await program.finish()
    #expect(status == 0, "\(text)")
    #expect(program.isCooked)
  }

  @Test func `shows what the app answers until a key goes back`() async throws {
    let program = try RowWidget().atTerminal()
    try await program.hear("> Look")
    program.type("\r")
    try await program.hear("Esc: back.")
    program.type("\u{1B}[D")
    try await program.hear("> Look")
    program.type("G\r")
    try await program.hear("may not open")
    program.type("q")
    try await program.hear("> Stray")
    program.type("?")
    try await program.hear("choose a row")
    program.type("q")
    try await program.hear("> Stray")
    program.type("\u{3}")
    #expect(try await program.finish().status == 130)
    #expect(program.isCooked)
  }

  @Test func `is brought up to date by a key`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("today", "com.example.adventures.visits", "--watch", "--interval", "3600")
    try await program.hear("Visit 1")
    program.type("r")
    try await program.hear("Visit 2")
    program.type("q")
    #expect(try await program.finish().status == 0)
  }

  @Test func `is left with Ctrl-Z, and goes on where it was`() async throws {
    let host = try HostTool()
    let shell = try TerminalProgram(
      "/usr/bin/setsid", ["--ctty", "--wait", "/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1", "PS1": "ready> "]) { $1 })
    shell.type("\(Build.products)/host today com.example.adventures.clock --watch --interval 3600\n")
    try await shell.hear("> Count anew")
    #expect(!shell.isCooked)
    shell.type("\u{1A}")
    try await shell.hear("Stopped")
    #expect(shell.isCooked)
    shell.type("fg\n")
    try await shell.hear("> Count anew")
    #expect(!shell.isCooked)
    shell.type("\r")
    try await shell.hear("visit 0")
    shell.type("q")
    try await shell.hear("ready> ")
    #expect(shell.isCooked)
    shell.type("exit\n")
    #expect(try await shell.finish().status == 0)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGABRT, 134), (SIGHUP, 129)] as [(Int32, Int32)])
  func `leaves the terminal as it was, however it ends`(signal: Int32, status: Int32) async throws {
    let program = try RowWidget().atTerminal()
    try await program.hear("> Look")
    #expect(!program.isCooked)
    program.signal(signal)
    #expect(try await program.finish().status == status)
    #expect(program.isCooked)
  }

  @Test func `lends the terminal for a question about a permission`() async throws {
    let widget = try RowWidget(
      annex: "<key>Network</key><array><string>127.0.0.1:*</string></array>",
      """
      if method == "widget/performUpdate":
          answer({"result": "newData", "view": {"rows": [{"title": "Ask", "action": "ask"}]}})
      else:
          reply = call("permission/request", {"name": "network", "reason": "to look"})
          title = reply["result"]["state"] if "result" in reply else str(reply)
          answer({"result": "newData", "view": {"title": "It is " + title, "rows": []}})
      """)
    let program = try widget.atTerminal()
    try await program.hear("> Ask")
    program.type("\r")
    program.type("\(try await program.questionWord())\n")
    try await program.hear("It is granted")
    program.type("q")
    #expect(try await program.finish().status == 0)
  }
}
