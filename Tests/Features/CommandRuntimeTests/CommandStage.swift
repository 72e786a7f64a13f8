import CommandLineTool
import CommandRuntime
import Conformance
import EventLoop
import ExtensionHosting
import Synchronization
import TestSupport

/// A tool without features, with a state folder of its own, and what its commands print.
final class CommandStage: Sendable {
  private static let tree = Command(
    "host", summary: "Try", example: "host run",
    options: [
      .flag("json", "JSON"), .value("home", "DIR", "The state folder"), .flag("watch", "Watch"),
      .flag("stream", "Stream"), .flag("follow", "Follow"), .point("The point"), .consent, .store,
      .config, .trace,
      .value("manifests", "DIR", "Manifests", isRepeatable: true),
    ] + CommandOption.secret("password", "The password", environment: "PASSWORD"),
    subcommands: [
      Command(
        "run", summary: "Run", example: "host run", arguments: [CommandArgument("WORD", "Words", .any)],
        subcommands: [Command("one", summary: "One", example: "x")]),
      Command("watch", summary: "Watch", example: "host watch"),
    ])

  let folder: TemporaryDirectory
  private let written = Mutex((output: "", errors: ""))

  init() throws { folder = try TemporaryDirectory() }

  var home: String { folder.file("home") }
  var state: StateDirectory { StateDirectory(path: home) }
  var output: String { written.withLock { $0.output } }
  var errors: String { written.withLock { $0.errors } }

  /// Forgets what was printed.
  func clear() { written.withLock { $0 = ("", "") } }

  func console(
    _ verbosity: Console.Verbosity = .normal, errorTerminal: Terminal = .none,
    terminal: Terminal = .none
  ) -> Console {
    Console(
      verbosity: verbosity, terminal: terminal, errorTerminal: errorTerminal,
      output: { text in self.written.withLock { $0.output += text } },
      errors: { text in self.written.withLock { $0.errors += text } })
  }

  func parsed(_ words: [String], environment: [String: String] = [:]) throws -> ParsedCommand {
    try CommandLineParser(Self.tree).parse(words, environment: environment)
  }

  /// - Parameter environment: the variables; the state folder's alone unless given.
  func invocation(
    _ words: String..., environment: [String: String]? = nil, console: Console? = nil,
    libraries: (any ToolLibraries)? = nil, loop: EventLoop = EventLoop()
  ) throws -> Invocation {
    try invocation(
      words, environment: environment, console: console, libraries: libraries, loop: loop)
  }

  func invocation(
    _ words: [String], environment: [String: String]? = nil, console: Console? = nil,
    libraries: (any ToolLibraries)? = nil, loop: EventLoop = EventLoop()
  ) throws -> Invocation {
    let environment = environment ?? ["ANNEX_HOME": home]
    let checks = CheckList([], hosts: HostFeatures([] as [HostFeatures]), points: [])
    return Invocation(
      HostTool(features: [], checks: checks, libraries: libraries, tree: Self.tree),
      parsed: try parsed(words, environment: environment), console: console ?? self.console(),
      environment: environment, loop: loop)
  }
}
