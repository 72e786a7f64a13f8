import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionProtocol
import Files
import HostServices
import Sandbox

/// `host dev`: builds and runs an extension again whenever a file of its project is saved.
enum DevCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "dev", summary: "Build and run an extension again whenever you save a file",
    discussion: """
      The command builds the project (swift build; interpreters check scripts), makes a bundle as host bundle does, \
      and registers it until the command ends. Then it runs the extensions: it updates a widget, gives a text to a \
      share extension or an action, and tries any other as host conform does. WORD… names another command of this \
      tool, for example -- action --with org.example.weather.action README.md. It shows what an extension prints, as \
      --verbose does. When a build fails, the last correct bundle stays registered. Ctrl-C ends the command, and the \
      bundle is registered no longer.

      With --json standard output has one line for each event: {event: building|built|failed|ran|changed, …}. What \
      the build and the extension print goes to standard error.
      """,
    example: "host dev Weather",
    options: [
      .value("set", "NAME=VALUE", "Give a build setting a value; may be given several times", isRepeatable: true),
      .flag("once", "Build and run once, and exit with that status"),
    ],
    arguments: [
      CommandArgument("DIR", "The folder of a project", values: .directory),
      CommandArgument("WORD", "The command to run after each build", .any),
    ]
  ).alsoTried(as: "develop")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let folder = try RunFolder("dev", invocation.environment)
    defer { folder.remove() }
    let session = try DevSession(invocation, in: folder.path)
    do {
      let status = try await session.run()
      try await session.unregister()
      return status
    } catch {
      // Whatever ended it, nothing stays registered.
      try await session.unregister()
      if error is CancellationError || Task.isCancelled { return .failure }
      throw error
    }
  }
}
