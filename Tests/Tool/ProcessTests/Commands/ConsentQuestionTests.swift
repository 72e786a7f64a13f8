import Foundation
import Testing

/// Extensions that try to have a question about a permission answered by somebody who did not read it.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `A question about a permission` {
  private static let network = "<key>Network</key><array><string>127.0.0.1:*</string></array>"

  /// A widget that asks, and then shows what it was told.
  private func widget(
    _ name: String = "asks", in folder: TemporaryFolder, before: String = "", meta: String = ""
  ) throws -> String {
    try Script.install(
      name, in: folder, annex: Self.network,
      """
      send({"id": 1, "method": "permission/request", "params": {"name": "network", "reason": "to look"\(meta)}})
      \(before)
      reply = json.loads(sys.stdin.readline())
      show("It is " + (reply["result"]["state"] if "result" in reply else str(reply)))
      """)
  }

  private func start(
    _ words: [String], in folder: TemporaryFolder, _ variables: [String: String] = [:], columns: UInt16 = 100,
    lines: UInt16 = 30
  ) throws -> TerminalProgram {
    let host = try HostTool(folder)
    let places = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    return try TerminalProgram(
      "\(Build.products)/host", words + places,
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 }.merging(variables) { $1 },
      in: folder, columns: columns, lines: lines)
  }

  @Test func `is answered by the word that it shows, and by nothing else`() async throws {
    let folder = try TemporaryFolder()
    let id = try widget(in: folder)
    let program = try start(["today", id], in: folder)
    let word = try await program.questionWord()
    program.type("y\n")
    try await program.hear("“y” is no answer.", then: "> ")
    program.type("granted\n")
    try await program.hear("“granted” is no answer.", then: "> ")
    program.type("\(word)x\u{7F}\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains("asks for “network”: allowed.") && text.contains("It is granted"), "\(text)")
    #expect(program.isCooked)
  }

  @Test func `shows no word that a manifest leaves over by naming all others`() async throws {
    let source = try String(
      contentsOfFile: "\(Build.package)/Sources/Features/CommandRuntime/Terminal/QuestionText.swift", encoding: .utf8)
    let list = try #require(source.matches(of: #/words = """([a-z\\\s]+)"""/#).first?.output.1)
    let words = list.split { !$0.isLetter }.map(String.init).filter { $0 != "zebra" }
    try #require(words.count > 200)
    // As names of servers, of which each has at most 253 characters.
    let servers = stride(from: 0, to: words.count, by: 25).map { start in
      "<string>\(words[start..<min(start + 25, words.count)].joined(separator: "."))</string>"
    }
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "knows", in: folder, annex: "<key>Network</key><array>\(servers.joined())</array>",
      """
      send({"id": 1, "method": "permission/request", "params": {"name": "network", "reason": "to look"}})
      json.loads(sys.stdin.readline())
      show("over")
      """)
    var seen: Set<String> = []
    for _ in 0..<3 where seen.subtracting(["zebra"]).isEmpty {
      let program = try start(["today", id], in: folder)
      seen.insert(try await program.questionWord())
      program.type("\n")
      _ = try await program.finish()
    }
    #expect(!seen.subtracting(["zebra"]).isEmpty, "\(seen)")
  }

  @Test(arguments: [
    ("no\n", "denied", "refused"), ("\n", "undecided", "not decided"), ("\u{4}", "undecided", "not decided"),
  ])
  func `is refused by a word, and left open by none`(reply: String, state: String, outcome: String) async throws {
    let folder = try TemporaryFolder()
    let id = try widget(in: folder)
    let program = try start(["today", id], in: folder)
    _ = try await program.questionWord()
    program.type(reply)
    let (text, _) = try await program.finish()
    #expect(text.contains("asks for “network”: \(outcome).") && text.contains("It is \(state)"), "\(text)")
  }

  @Test func `is not scrolled away by forty lines of a log`() async throws {
    let folder = try TemporaryFolder()
    let id = try widget(
      in: folder,
      before: """
        import select
        for number in range(400):
            if number > 40 and select.select([sys.stdin], [], [], 0.01)[0]: break
            send({"method": "$/log", "params": {"level": "warning", "message": "Type yes to go on %d" % number}})
        """)
    let program = try start(["today", id], in: folder, lines: 20)
    let word = try await program.questionWord()
    // The lines have come: the host answers calls of the extension in order, and has drawn the answer's line since.
    program.type("x")
    let asked = try await program.hear("> x")
    #expect(!asked.contains("go on"), "\(asked)")
    program.type("\u{7F}\(word)\n")
    let (text, _) = try await program.finish()
    // Some may have come before the question did.
    let parts = text.components(separatedBy: ": allowed.")
    let question = parts[0].components(separatedBy: "to decide later:").dropFirst().joined()
    #expect(parts.count == 2 && !question.contains("go on") && parts[1].contains("go on"), "\(text)")
  }

  @Test func `takes no key that was pressed before it could be read`() async throws {
    for _ in 0..<5 {
      let folder = try TemporaryFolder()
      let id = try widget(in: folder)
      let program = try start(["today", id], in: folder)
      program.type("y\nyes\nno\n\n")
      let shown = try await program.hear("to decide later:")
      // Within the first half second even the right word counts for nothing.
      program.type("\(try TerminalProgram.word(in: shown))\n")
      // On a busy machine the half second may have been over: then it was an answer, and another one is asked.
      let isReady = shown.components(separatedBy: "to decide later:").last?.contains("> ") == true
      guard !isReady, (try? await program.hear("> ", within: .zero)) == nil else { continue }
      try await program.hear("> ")
      program.type("\n")
      let (text, _) = try await program.finish()
      #expect(text.contains("It is undecided"), "\(text)")
      return
    }
    Issue.record("No question was seen within its first half second.")
  }

  @Test func `and a sheet never wait for an answer side by side`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "poster", point: "com.apple.share-services", in: folder, attributes: Script.takesText, annex: Self.network,
      prelude: "state = None",
      """
      if method is None:
          state = request.get("result", {}).get("state")
      elif method == "share/presentation":
          answer({})
          send({"id": 1, "method": "permission/request", "params": {"name": "network", "reason": "to post"}})
      elif method == "share/validateContent":
          answer({"isValid": True})
      elif method == "share/didSelectPost":
          answer({})
          while state is None: state = json.loads(sys.stdin.readline()).get("result", {}).get("state")
          send({"id": 2, "method": "context/completeRequest", "params": {"requestID": params["requestID"],
              "returningItems": [{"attributedContentText": params["contentText"] + " as " + str(state)}]}})
      elif method == "context/beginRequest":
          answer({"accepted": True})
      else:
          answer({"items": []})
      """)
    let program = try start(["share", "--text", "Hello", "--with", id], in: folder)
    var heard = try await program.hear("> ")
    if !heard.contains("to decide later:") {
      // The sheet came first. What is typed is its own, and the question comes when it has been.
      program.type("y\n")
      heard = try await program.hear("to decide later:", then: "> ")
    } else if !heard.hasSuffix("> ") {
      heard += try await program.hear("> ")
    }
    program.type("y\n")
    try await program.hear("“y” is no answer.", then: "> ")
    program.type("\(try TerminalProgram.word(in: heard))\n")
    try await program.hear(": allowed.", then: "> ")
    program.type("/post\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains(" as granted"), "\(text)")
    #expect(!(text.components(separatedBy: "\n").contains { $0.hasPrefix("y as") }), "\(text)")
  }

  @Test func `stops no clock but the person's: a short deadline stands still`() async throws {
    let folder = try TemporaryFolder()
    let id = try widget(in: folder, meta: ", \"_meta\": {\"deadlineMs\": 100}")
    let program = try start(["today", id], in: folder)
    let word = try await program.questionWord()
    program.type("\(word)\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains("It is granted"), "\(text)")
    let why = try await HostTool(folder)(
      ["why", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures])
    #expect(why.stdout.contains("nothing is wrong"), "\(why)")
  }

  @Test func `leaves other widgets to be seen, and the next question its turn`() async throws {
    let folder = try TemporaryFolder()
    let first = try widget("first", in: folder)
    let second = try widget("second", in: folder)
    let quick = try Script.install("quick", in: folder, "show(\"here at once\")")
    let program = try start(["today", first, second, quick], in: folder)
    let word = try await program.questionWord()
    program.type("x")
    var asked = try await program.hear("> x")
    if !asked.contains("here at once") { asked += try await program.hear("here at once") }
    #expect(!asked.contains("It is "), "\(asked)")
    program.type("\u{7F}\(word)\n")
    try await program.hear(": allowed.")
    program.type("\(try await program.questionWord())\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.components(separatedBy: "It is granted").count > 2, "\(text)")
  }

  @Test func `fits a narrow terminal that cannot be drawn over, in ASCII`() async throws {
    let folder = try TemporaryFolder()
    let id = try widget(in: folder)
    let program = try start(["today", id], in: folder, ["TERM": "dumb", "LC_ALL": "C"], columns: 40)
    let shown = try await program.hear("decide later:", then: "> ")
    program.type("\(try TerminalProgram.word(in: shown))\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains("It is granted"), "\(text)")
    #expect(text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B }, "\(text)")
  }
}

extension TerminalProgram {
  /// Waits until a question about a permission takes keys.
  ///
  /// - Returns: the word that allows.
  func questionWord() async throws -> String {
    try Self.word(in: try await hear("to decide later:", then: "> "))
  }

  static func word(in question: String) throws -> String {
    guard let word = question.matches(of: #/Type ["“]([a-z]+[0-9]*)["”] to/#).last?.output.1 else {
      throw ProgramFailure(description: "There is no word in “\(question)”.")
    }
    return String(word)
  }
}
