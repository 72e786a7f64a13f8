import JSONRPC
import JSON
import TestSupport
import Testing

/// A command line that cannot be understood: status 64, one `error:`, one `help:`, nothing on standard output.
struct Misuse: Sendable, CustomTestStringConvertible {
  var words: [String]
  var error: String
  var help: String
  var status: Int32 = 64

  var testDescription: String { words.joined(separator: " ") }

  static let all = [
    Misuse(words: [], error: "host needs a command", help: "host --help"),
    Misuse(words: ["lst"], error: "“lst” is not a command of host.", help: "Did you mean list?"),
    Misuse(words: ["register"], error: "“register” is not a command of host.", help: "Did you mean add?"),
    Misuse(words: ["auth", "login"], error: "“login” is not a command of host auth.", help: "Did you mean sign-in?"),
    Misuse(words: ["auth", "status"], error: "“status” is not a command", help: "Did you mean accounts?"),
    Misuse(
      words: ["elect", "us", "com.example.a"], error: "“us” is not a value for DECISION.", help: "Did you mean use?"),
    Misuse(words: ["list", "--jsn"], error: "host list has no option --jsn.", help: "Did you mean --json?"),
    Misuse(words: ["list", "extra"], error: "does not take “extra”", help: "host list"),
    Misuse(words: ["list", "--point", "todya"], error: "“todya” is not an extension point.", help: "mean today?"),
    Misuse(words: ["list", "--home"], error: "--home needs a value.", help: "--home DIR"),
    Misuse(words: ["share"], error: "There is nothing to pass on.", help: "--text TEXT"),
    Misuse(words: ["share", "--url", "example"], error: "“example” is not a URL.", help: "https://example.com"),
    Misuse(words: ["open-url"], error: "needs URL", help: "host open-url URL"),
    Misuse(words: ["defaults"], error: "host defaults needs a command", help: "host defaults --help"),
    Misuse(words: ["defaults", "raed"], error: "“raed” is not a command", help: "Did you mean read?"),
    Misuse(words: ["defaults", "read"], error: "needs SUITE", help: "host defaults read SUITE"),
    Misuse(
      words: ["defaults", "write", "group.com.example.adventures", "k", "x", "--type", "int"],
      error: "“x” is not a value of type int.", help: "a whole number"),
    Misuse(
      words: ["defaults", "write", "group.com.example.adventures", "k", "nan", "--type", "double"],
      error: "“nan” is not a value of type double.", help: "a number"),
    Misuse(
      words: ["list", "--manifests", "/etc/passwd"], error: "“/etc/passwd”: Not a directory", help: "folder", status: 66
    ),
    Misuse(words: ["completions", "fsh"], error: "“fsh” is not a value for SHELL.", help: "fish"),
    Misuse(words: ["serve"], error: "host serve needs a command", help: "host serve --help"),
    Misuse(words: ["serve", "content", "--port", "70000"], error: "70000", help: "0 to 65535"),
    Misuse(words: ["content", "query", "a/b", "-v", "noequals"], error: "“noequals”", help: "NAME=VALUE"),
    Misuse(
      words: ["today", "com.example.adventures.clok"], error: "No extension is called “com.example.adventures.clok”.",
      help: "Did you mean com.example.adventures.clock?", status: 66),
    Misuse(
      words: ["today", "com.example.adventures.share"], error: "is not a Today widget", help: "host list --point today",
      status: 77),
    Misuse(
      words: ["share", "--text", "x", "--with", "com.example.adventures.digest"], error: "is for action, not for share",
      help: "host list", status: 77),
    Misuse(words: ["open-url", "no url"], error: "“no url” is not a URL.", help: "scheme", status: 65),
    Misuse(
      words: ["open-url", "adventurs://x"], error: "declares the scheme “adventurs”", help: "adventures", status: 1),
    Misuse(words: ["open-url", "adventures://x"], error: "does not know the URL", help: "scheme", status: 1),
    Misuse(words: ["share", "/no/such/file"], error: "Cannot read /no/such/file", help: "path", status: 66),
    Misuse(words: ["share", "/tmp"], error: "not a regular file", help: "path", status: 66),
    Misuse(words: ["action", "--text", "x", "-o", "/no/such/x"], error: "Cannot write", help: "-o", status: 73),
    Misuse(words: ["list", "--manifests", "/no/such"], error: "/no/such", help: "--manifests", status: 66),
    Misuse(words: ["defaults", "read", "group.x"], error: "group.x", help: "group.com.example.adventures", status: 77),
    Misuse(
      words: ["defaults", "delete", "group.com.example.adventures", "none"], error: "has no key none", help: "keys",
      status: 1),
    Misuse(
      words: ["today", "com.example.adventures.visits", "--home", "/proc/none"], error: "/proc/none", help: "folder",
      status: 74),
    Misuse(words: ["content", "list", "--config", "/no/such"], error: "/no/such", help: "", status: 78),
  ]
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A command line that is wrong` {
  @Test(arguments: try Cases.present(Misuse.all)) func `is answered with what to do`(misuse: Misuse) async throws {
    let output = try await HostTool()(misuse.words)
    let lines = output.stderr.split(separator: "\n")
    #expect(output.status == misuse.status, "\(output)")
    #expect(lines.contains { $0.hasPrefix("error: ") && $0.contains(misuse.error) }, "\(output)")
    #expect(lines.contains { $0.hasPrefix("help: ") && $0.contains(misuse.help) } || misuse.help.isEmpty, "\(output)")
    if misuse.words.first != "today" { #expect(output.stdout == "") }
  }

  @Test(arguments: try Cases.present(Misuse.all.filter { !$0.words.isEmpty && $0.words[0] != "today" }))
  func `is answered in JSON when that was asked for`(misuse: Misuse) async throws {
    // The URL is known to the app or not: that is an outcome and no error.
    if misuse.words == ["open-url", "adventures://x"] { return }
    let output = try await HostTool()(misuse.words.filter { $0 != "--home" } + ["--json"])
    if misuse.words.contains("--home") { return }
    let error = try output.json
    #expect(output.status == misuse.status, "\(output)")
    #expect(error["message"]?.stringValue?.contains(misuse.error) == true, "\(output)")
    #expect(Program.Output.names(error).prefix(3) == ["code", "name", "message"])
    #expect(error["details"]?.objectValue != nil)
    #expect(output.stderr == "")
  }

  @Test func `shows no control characters`() async throws {
    let output = try await HostTool()("share", "--text", "\u{1b}[31mred", "--with", "\u{1b}]0;title\u{07}")
    #expect(output.status == 66)
    #expect((output.stdout + output.stderr).unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `Help` {
  static let levels: [[String]] =
    [[]]
    + [
      "list", "today", "share", "action", "match", "open-url", "apps", "defaults", "content", "api", "serve", "doctor",
      "completions",
    ].map { [$0] }
    + [
      ["defaults", "read"], ["defaults", "write"], ["defaults", "delete"], ["content", "list"], ["content", "show"],
      ["content", "query"], ["serve", "content"], ["serve", "data"], ["serve", "files"], ["serve", "identity"],
    ]

  @Test(arguments: try Cases.present(levels)) func `has an example on every level`(level: [String]) async throws {
    let output = try await HostTool()(level + ["--help"])
    #expect(output.status == 0)
    #expect(output.stderr == "")
    #expect(output.stdout.contains("Example"), "\(output.stdout)")
    #expect(output.stdout.contains("host \(level.joined(separator: " "))"))
  }

  @Test func `lists the local servers`() async throws {
    let page = try await HostTool()("serve", "--help").stdout
    for server in ["content", "data", "files", "identity"] { #expect(page.contains("\n  \(server) "), "\(page)") }
  }

  @Test func `tells the version`() async throws {
    let output = try await HostTool()("--version")
    #expect(output.status == 0)
    #expect(output.stdout == "host 0.1.0 (protocol 1.0)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `completes for a shell`(shell: String) async throws {
    let output = try await HostTool()("completions", shell)
    #expect(output.status == 0)
    #expect(output.stdout.contains("open-url"))
    #expect(output.stderr == "")
  }
}
