import JSONRPC
import Foundation
import JSON
import Testing

/// `host keyboard` with a real keyboard in its sandbox.
@Suite(.timeLimit(.minutes(1)))
struct `A line that is typed through a keyboard` {
  private static let id = "com.example.adventures.keys"
  private static let group = "group.com.example.adventures"

  @Test func `becomes what the keyboard makes of it`() async throws {
    let host = try HostTool()
    let output = try await host("keyboard", input: "caf'e. see y\"o\nax\u{8}b\n")
    #expect(output.stdout == "Café. See yö\nAb\n", "\(output)")
    let mail = try await host("keyboard", "--traits", "autocapitalization=none", "--text", "to: ", input: "ann")
    #expect(mail.stdout == "to: ann\n", "\(mail)")
    let json = try await host("keyboard", "--json", "--with", Self.id, input: "adv").json
    #expect(json == ["id": .string(Self.id), "text": "Adv", "candidates": ["Adventure", "Adventures"]])
  }

  @Test(arguments: [
    (["--traits", "secure"], "secureField"), (["--traits", "type=phonePad"], "phonePad"),
    (["--disallow-keyboards"], "hostDisallows"),
  ])
  func `is the system keyboard's where the field wants that`(options: [String], reason: String) async throws {
    let host = try HostTool()
    let output = try await host.start(["keyboard", "--json"] + options, input: .text("caf'e\n")).finish()
    #expect(try output.json["text"] == "caf'e")
    #expect(try output.json["replacedBySystemKeyboard"] == .string(reason))
    // The keyboard is not even started.
    #expect(host.folder.names(in: "home/containers").isEmpty)
  }

  @Test func `says what is wrong with the command line`() async throws {
    let host = try HostTool()
    let trait = try await host("keyboard", "--traits", "type=fax")
    #expect(trait.status == 64 && trait.stderr.contains("asciiCapableNumberPad"), "\(trait)")
    let widget = try await host("keyboard", "--with", "com.example.adventures.clock")
    #expect(widget.status == 77 && widget.stderr.contains("host list --point keyboard"), "\(widget)")
    let none = try await host("keyboard", "--with", "com.example.nobody")
    #expect(none.status == 66, "\(none)")
    let long = try await host("keyboard", input: String(repeating: "a", count: 70_000))
    #expect(long.status == 65 && long.stderr.contains("longer than"), "\(long)")
  }

  @Test func `teaches the keyboard words only with open access`() async throws {
    let host = try HostTool()
    #expect(try await host("keyboard", input: "lighthouse \n").stdout == "Lighthouse \n")
    #expect(try await host("defaults", "read", Self.group, "keyboard.words").status != 0)
    #expect(try await host("permissions", Self.id, "grant", "open-access").status == 0)
    #expect(try await host("keyboard", input: "lighthouse \n").stdout == "Lighthouse \n")
    #expect(try await host("permissions", Self.id, "deny", "open-access").status == 0)
    // What it has learned it may still read.
    let output = try await host("keyboard", "--json", input: "lig")
    #expect(try output.json["candidates"] == ["Lighthouse"], "\(output)")
  }

  @Test(.enabled(if: Script.isAvailable))
  func `goes on without open access when that is taken back, and loses no key`() async throws {
    let folder = try TemporaryFolder()
    let id = try Self.install("open", in: folder, access: true)
    let host = try HostTool(folder)
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
    #expect(try await host(["permissions", id, "grant", "open-access"] + options).status == 0)
    let (program, input) = try Self.start(host, ["keyboard", "--with", id] + options)
    try input.write(contentsOf: Data("a\n".utf8))
    // Group containers are mounted as open access allows.
    _ = try await program.hear("[a True]")
    #expect(try await host(["permissions", id, "deny", "open-access"] + options).status == 0)
    try input.write(contentsOf: Data("b\n".utf8))
    _ = try await program.hear("[b False]")
    try input.close()
    #expect(try await program.finish().status == 0)
  }

  @Test(.enabled(if: Script.isAvailable))
  func `is finished by the system's keyboard when the keyboard dies`() async throws {
    let folder = try TemporaryFolder()
    let id = try Self.install("dying", in: folder, access: false)
    let host = try HostTool(folder)
    let output = try await host.start(
      ["keyboard", "--json", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures],
      input: .text("x!y\n")
    ).finish()
    #expect(try output.json["text"] == "[x False]!y", "\(output)")
    #expect(try output.json["replacedBySystemKeyboard"] == "failed")
    #expect(output.stderr.contains("The system's keyboard took over."), "\(output)")
  }

  /// A keyboard that writes for each key whether it has full access, and dies under an exclamation mark.
  private static func install(_ name: String, in folder: TemporaryFolder, access: Bool) throws -> String {
    try Script.install(
      name, point: "com.apple.keyboard-service", in: folder,
      attributes: """
        <key>NSExtensionAttributes</key><dict><key>RequestsOpenAccess</key><\(access)/></dict>
        """,
      """
      if method == "keyboard/begin":
          full = params["hasFullAccess"]
          answer({})
      elif method == "keyboard/input":
          key = params["event"]["key"]
          if key == "!": os._exit(3)
          answer({"edits": [{"insertText": "[" + key + " " + str(full) + "]"}]})
      else: answer({})
      """)
  }

  /// Starts a command whose input the test writes.
  private static func start(_ host: HostTool, _ arguments: [String]) throws -> (Program, FileHandle) {
    let pipe = Pipe()
    // The program shall not hold its own input open.
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    let program = try host.start(arguments, input: .descriptor(pipe.fileHandleForReading.fileDescriptor))
    try pipe.fileHandleForReading.close()
    return (program, pipe.fileHandleForWriting)
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A keyboard at a terminal` {
  /// The line as the last drawing shows it.
  private static func hear(_ line: String, _ program: TerminalProgram) async throws {
    try await program.hear("> \(line)")
  }

  @Test func `types into the line, offers words, and prints the text`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("keyboard")
    try await program.hear("Latin Keys> ")
    program.type("caf'e")
    try await Self.hear("Café", program)
    program.type(" adv")
    try await program.hear("1 adventure   2 adventures")
    program.type("\u{1B}2")
    try await Self.hear("Café adventures ", program)
    // The user moves, and the keyboard knows where it is.
    program.type("\u{1}")
    program.type("x")
    try await Self.hear("XCafé adventures", program)
    program.type("\u{7F}\u{5}!")
    try await Self.hear("Café adventures !", program)
    program.type("\r")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.hasSuffix("\u{1B}[JCafé adventures !\n"), "\(text)")
  }

  @Test func `gives way for a password, and to the next keyboard`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("keyboard", "--text", "a")
    try await program.hear("Latin Keys> a")
    program.type("\u{14}")
    try await program.hear("System (password)> •")
    program.type("'e")
    try await program.hear("System (password)> •••")
    program.type("\u{14}")
    try await program.hear("Latin Keys> a'e")
    program.type("\u{E}")
    try await program.hear("System> a'e")
    program.type("'o")
    try await program.hear("System> a'e'o")
    program.type("\u{E}")
    try await program.hear("Latin Keys> a'e'o")
    program.type("\u{C}")
    try await program.hear("Keyboards: 1 Latin Keys   2 System")
    program.type("2")
    try await program.hear("System> a'e'o")
    program.type("\r")
    #expect(try await program.finish().text.hasSuffix("a'e'o\n"))
  }

  /// A character at a time, each after a look at all the others, took half a minute.
  @Test(.enabled(if: Script.isAvailable))
  func `is not held up by megabytes of an error that nobody can see`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "wordy", point: "com.apple.keyboard-service", in: folder,
      """
      if method == "keyboard/input":
          error = {"code": -32000, "message": "é" * 600000}
          send({"id": request["id"], "error": error})
      else: answer({})
      """)
    let host = try HostTool(folder)
    let program = try host.atTerminal(
      "keyboard", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures)
    try await program.hear("wordy> ")
    program.type("a")
    try await program.hear("System> a", within: .seconds(25))
    program.type("b\r")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.hasSuffix("ab\n"))
    // What cannot be seen is not written either.
    #expect(text.utf8.count < 20_000)
  }

  @Test(arguments: ["\u{3}", "\u{4}"])
  func `is given up with a key`(key: String) async throws {
    let program = try HostTool().atTerminal("keyboard")
    try await program.hear("> ")
    program.type(key)
    let (text, status) = try await program.finish()
    #expect(status == 1 && text.contains("Nothing was typed."), "\(text)")
  }

  @Test func `is left with Ctrl-Z, and goes on where it was`() async throws {
    let host = try HostTool()
    let shell = try TerminalProgram(
      "/usr/bin/setsid", ["--ctty", "--wait", "/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
      environment: host.environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 })
    shell.type("\(Build.products)/host keyboard\n")
    try await shell.hear("Latin Keys> ")
    shell.type("ab")
    try await Self.hear("Ab", shell)
    #expect(!shell.isCooked)
    shell.type("\u{1A}")
    try await shell.hear("Stopped")
    #expect(shell.isCooked)
    shell.type("fg\n")
    try await Self.hear("Ab", shell)
    shell.type("c")
    try await Self.hear("Abc", shell)
    #expect(!shell.isCooked)
    shell.type("\r")
    try await shell.hear("Abc\r\n")
    shell.type("exit\n")
    #expect(try await shell.finish().status == 0)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGABRT, 134), (SIGHUP, 129)] as [(Int32, Int32)])
  func `leaves the terminal as it was, however it ends`(signal: Int32, status: Int32) async throws {
    let program = try HostTool().atTerminal("keyboard")
    try await program.hear("> ")
    #expect(!program.isCooked)
    program.signal(signal)
    #expect(try await program.finish().status == status)
    #expect(program.isCooked)
  }
}
