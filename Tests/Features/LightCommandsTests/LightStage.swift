import CommandLineTool
import CommandRuntime
import Synchronization
import TestSupport

/// A tool with one command, a state folder of its own and no extensions, and what the command prints.
final class LightStage: Sendable {
  let folder: TemporaryDirectory
  private let manifests: TemporaryDirectory
  private let command: Command
  private let written = Mutex((output: "", errors: ""))

  init(_ command: Command) throws {
    self.command = command
    (folder, manifests) = (try TemporaryDirectory(), try TemporaryDirectory())
  }

  var home: String { folder.file("home") }
  var output: String { written.withLock { $0.output } }
  var errors: String { written.withLock { $0.errors } }

  /// Forgets what was printed.
  func clear() { written.withLock { $0 = ("", "") } }

  /// - Parameter words: what follows the name of the command.
  func invocation(_ words: String...) throws -> Invocation {
    let tree = Command(
      "host", summary: "Try", example: "host try",
      options: [
        .flag("json", "JSON"), .value("home", "DIR", "The state folder"),
        .value("manifests", "DIR", "Manifests", isRepeatable: true), .store, .consent,
      ], subcommands: [command])
    let environment = ["ANNEX_HOME": home]
    let line = [command.name] + words + ["--manifests", manifests.path]
    let console = Console(
      verbosity: .normal, terminal: .none, errorTerminal: .none,
      output: { text in self.written.withLock { $0.output += text } },
      errors: { text in self.written.withLock { $0.errors += text } })
    return Invocation(
      HostTool(features: [], tree: tree), parsed: try CommandLineParser(tree).parse(line, environment: environment),
      console: console, environment: environment)
  }
}
