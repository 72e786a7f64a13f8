import CommandLineTool
import CommandRuntime
import Conformance
import EventLoop
import ExtensionHosting
import Synchronization
import TestSupport

/// A tool with one command, a state folder of its own and no extensions, and what the command prints.
final class FeatureStage: Sendable {
  let folder: TemporaryDirectory
  private let command: Command
  private let written = Mutex((output: "", errors: ""))

  init(_ command: Command) throws {
    self.command = command
    folder = try TemporaryDirectory()
  }

  /// A command of a test, with the options and arguments that are tried.
  convenience init(_ options: [CommandOption], arguments: [CommandArgument] = []) throws {
    try self.init(Command("try", summary: "Try", example: "host try", options: options, arguments: arguments))
  }

  var home: String { folder.file("home") }
  var output: String { written.withLock { $0.output } }
  var errors: String { written.withLock { $0.errors } }

  /// Forgets what was printed.
  func clear() { written.withLock { $0 = ("", "") } }

  /// - Parameter words: what follows the name of the command.
  func invocation(
    _ words: String..., verbosity: Console.Verbosity = .normal, environment: [String: String] = [:]
  ) throws -> Invocation {
    try invocation(words, verbosity: verbosity, environment: environment)
  }

  /// - Parameter words: what follows the name of the command.
  func invocation(
    _ words: [String], verbosity: Console.Verbosity = .normal, environment: [String: String] = [:]
  ) throws -> Invocation {
    let tree = Command(
      "host", summary: "Try", example: "host try",
      options: [
        .flag("json", "JSON"), .value("home", "DIR", "The state folder"),
        .value("manifests", "DIR", "Manifests", isRepeatable: true), .store, .consent,
      ], subcommands: [command])
    let environment = environment.merging(["ANNEX_HOME": home]) { $1 }
    // The folder that is named keeps the manifests of the package away.
    let line = [command.name] + words + ["--manifests", folder.path]
    let console = Console(
      verbosity: verbosity, terminal: .none, errorTerminal: .none,
      output: { text in self.written.withLock { $0.output += text } },
      errors: { text in self.written.withLock { $0.errors += text } })
    let checks = CheckList([], hosts: HostFeatures([] as [HostFeatures]), points: [])
    return Invocation(
      HostTool(features: [], checks: checks, libraries: nil, tree: tree),
      parsed: try CommandLineParser(tree).parse(line, environment: environment), console: console,
      environment: environment, loop: EventLoop())
  }
}
